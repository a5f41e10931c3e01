import { useTranslation } from "react-i18next";
import { TRAFFIC_LEVELS } from "../../../../src/shared/agents/server-plan";
import { ResourceBar, ResourceCell } from "../../../ui/charts/resource-bar";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Server } from "../api";

/** Whether so little of a quota is used that it has no bad level. */
export const isModest = (percent: number): boolean => percent < TRAFFIC_LEVELS[0];

/** The traffic of a server in a row of the list: its share of the quota as a bar, or the bytes alone. */
export function TrafficCell({ traffic }: { traffic: Server["traffic"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!traffic) return <>–</>;
  const { used, quota, percent } = traffic;
  const isLimited = quota !== null && percent !== null;
  return (
    <div
      className="raised"
      title={isLimited ? t("common.of", { used: format.size(used), total: format.size(quota) }) : ""}
    >
      {isLimited ? (
        <ResourceCell
          label={t("plan.thisMonth")}
          short={t("agents.short.traffic")}
          percent={percent}
          text={`${format.number(percent)}%`}
          neutral={isModest(percent)}
        />
      ) : (
        format.size(used)
      )}
    </div>
  );
}

/** The traffic of a server on its card: its share of the quota as a bar; nothing without a quota. */
export function TrafficBar({ traffic }: { traffic: Server["traffic"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (traffic?.quota == null || traffic.percent === null) return null;
  const { used, quota, percent } = traffic;
  const sizes = t("common.of", { used: format.size(used), total: format.size(quota) });
  return (
    <ResourceBar
      label={t("agents.resource.traffic")}
      percent={percent}
      text={`${format.share(percent)} · ${sizes}`}
      neutral={isModest(percent)}
    />
  );
}
