import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Empty } from "../../ui/empty";
import { Icon } from "../../ui/icon";

export function AgentSection({ total }: { total: number }) {
  const { t } = useTranslation();
  return (
    <section>
      <div className="section-head">
        <h2>{t("dashboard.agents.title")}</h2>
        <Link href={paths.agents}>{t("dashboard.agents.all")}</Link>
      </div>
      {total === 0 && (
        <Empty icon="server" title={t("dashboard.agents.empty")} text={t("dashboard.agents.emptyText")}>
          <Link href={paths.agentCreate} className="button plain">
            <Icon name="plus" />
            {t("dashboard.agents.add")}
          </Link>
        </Empty>
      )}
    </section>
  );
}
