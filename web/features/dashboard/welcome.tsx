import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";

/** Replaces the dashboard of a user without monitors and servers. */
export function Welcome() {
  const { t } = useTranslation();
  return (
    <Empty heading="h2" icon="pulse" title={t("dashboard.welcome.title")} text={t("dashboard.welcome.text")}>
      <Link href={paths.monitorCreate} className="button">
        <Icon name="plus" />
        {t("dashboard.welcome.addMonitor")}
      </Link>
      <Link href={paths.agentCreate} className="button plain">
        <Icon name="server" />
        {t("dashboard.welcome.addServer")}
      </Link>
    </Empty>
  );
}
