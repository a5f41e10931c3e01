import { useTranslation } from "react-i18next";
import { SECOND } from "../../../src/shared/limits";
import type { UnknownReason } from "../../../src/shared/outages/unknown";
import { useFormat } from "./use-format";

/** The start and the reason of the unknown state of a target. */
export type Unknown = { since: string; reason: UnknownReason };
/** An interval of unknown state. `to` is null while it lasts. */
export type Gap = { from: string; to: string | null; reason: UnknownReason };

/** Words for the state that nothing can be known, now and in the past. */
export const useUnknownWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const because = ({ since, reason }: Unknown): string =>
    t("unknown.because", { time: format.moment(since), reason: t(`unknown.reason.${reason}`) });

  /** "02:59–03:01", and the duration of a gap within one minute. */
  const span = (from: string, to: string): string => {
    const range = format.momentRange(from, to);
    if (range !== format.moment(from)) return range;
    return `${range} (${format.elapsed((Date.parse(to) - Date.parse(from)) / SECOND)})`;
  };

  const gap = ({ from, to, reason }: Gap): string =>
    to === null ? because({ since: from, reason }) : t(`unknown.gap.${reason}`, { span: span(from, to) });

  return {
    /** "Unknown · 12:04". */
    short: ({ since }: Unknown): string => `${t("common.status.unknown")} · ${format.moment(since)}`,
    /** "Unknown since 12:04: Wakeful’s own network is down." */
    because,
    /** "Wakeful was not running", or "Wakeful’s own network is down" while it lasts. */
    reason: ({ reason, to }: Pick<Gap, "reason" | "to">): string => {
      const text = t(to === null ? `unknown.reason.${reason}` : `unknown.past.${reason}`);
      return text.charAt(0).toUpperCase() + text.slice(1);
    },
    /** "Wakeful was not running 02:59–03:01". */
    gap,
    /** Why the ping of a heartbeat may have been lost. */
    lost: (expectedAt: string, during: Gap): string =>
      t("unknown.lost", { time: format.moment(expectedAt), gap: gap(during) }),
  };
};
