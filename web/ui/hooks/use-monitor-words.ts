import { useTranslation } from "react-i18next";
import { shownStatus } from "../feedback/badge";
import { useFormat } from "./use-format";
import { type Maintenance, useMaintenanceWords } from "./use-maintenance-words";

type Named = { kind: string; target: string; status: string; unknown: object | null; maintenance: Maintenance };

/** The period of a heartbeat that has no cron expression, as the hub writes it. */
const PERIOD = /^(\d+) (d|h|min|s)$/;
type Unit = "d" | "h" | "min" | "s";

/** Words for a monitor that waits for reports: its target, its first status, and a missing result. */
export const useMonitorWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const maintenanceWords = useMaintenanceWords();
  const wordOf = (monitor: Omit<Named, "target">): string => {
    const status = shownStatus(monitor);
    const isNew = monitor.kind === "heartbeat" && status === "pending";
    return isNew ? t("kinds.heartbeat.pending") : t(`common.status.${status}`);
  };
  return {
    target: ({ kind, target }: Pick<Named, "kind" | "target">): string => {
      const [, count = "", unit] = (kind === "heartbeat" && PERIOD.exec(target)) || [];
      if (!unit) return target;
      if (count === "1") return t(`kinds.heartbeat.eachOne.${unit as Unit}`);
      return t(`kinds.heartbeat.each.${unit as Unit}`, { number: format.number(Number(count)) });
    },
    status: (monitor: Omit<Named, "target">): string => {
      const status = shownStatus(monitor);
      return status === "maintenance" ? maintenanceWords(wordOf({ ...monitor, maintenance: null })) : wordOf(monitor);
    },
    never: ({ kind }: Pick<Named, "kind">): string =>
      t(kind === "heartbeat" ? "kinds.heartbeat.noPings" : "monitors.never"),
  };
};
