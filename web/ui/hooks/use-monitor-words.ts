import { useTranslation } from "react-i18next";
import { toStatus } from "../feedback/badge";
import { useFormat } from "./use-format";

type Named = { kind: string; target: string; status: string };

/** The period of a heartbeat that has no cron expression, as the hub writes it. */
const PERIOD = /^(\d+) (d|h|min|s)$/;
type Unit = "d" | "h" | "min" | "s";

/** Words for a monitor that waits for reports: its target, its first status, and a missing result. */
export const useMonitorWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return {
    target: ({ kind, target }: Pick<Named, "kind" | "target">): string => {
      const [, count = "", unit] = (kind === "heartbeat" && PERIOD.exec(target)) || [];
      if (!unit) return target;
      if (count === "1") return t(`kinds.heartbeat.eachOne.${unit as Unit}`);
      return t(`kinds.heartbeat.each.${unit as Unit}`, { number: format.number(Number(count)) });
    },
    status: (
      { kind, status }: Pick<Named, "kind" | "status">,
      words: "common.status" | "monitors.detail.status" = "common.status",
    ): string =>
      kind === "heartbeat" && toStatus(status) === "pending"
        ? t("kinds.heartbeat.pending")
        : t(`${words}.${toStatus(status)}`),
    never: ({ kind }: Pick<Named, "kind">): string =>
      t(kind === "heartbeat" ? "kinds.heartbeat.noPings" : "monitors.never"),
  };
};
