import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon, type IconName } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";
import { dashboardAtom } from "./api";

/** Whether the viewer has no monitor and no server; false while this is not known. */
export const useNothingMonitored = (): boolean => {
  const state = useAtomValue(dashboardAtom).data;
  return state !== undefined && state.monitors.total + state.agents.total === 0;
};

/** Replaces a screen that is empty without monitors and servers. */
export function NothingMonitored({ icon, text }: { icon: IconName; text: string }) {
  const { t } = useTranslation();
  return (
    <Empty heading="h2" icon={icon} title={t("outages.list.bare")} text={text}>
      <Link href={paths.monitorCreate} className="button">
        <Icon name="plus" />
        {t("monitors.create")}
      </Link>
    </Empty>
  );
}
