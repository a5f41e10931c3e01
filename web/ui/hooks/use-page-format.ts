import { useAtomValue } from "jotai";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import * as format from "../../lib/format";
import { aheadAtom } from "../../lib/now";

/** The formats of the public status page and of the parts that it shares with the console: it loads no others. */
export const usePageFormat = () => {
  const { i18n } = useTranslation();
  const locale = i18n.language;
  const ahead = useAtomValue(aheadAtom);
  return useMemo(
    () => ({
      names: (names: readonly string[]) => format.formatNames(locale, names),
      percent: (value: number | null) => format.formatPercent(locale, value),
      milliseconds: (value: number | null) => format.formatMilliseconds(locale, value),
      dateTime: (time: string | number) => format.formatDateTime(locale, time),
      /** `now` is a time of the hub. */
      moment: (time: string | number, now = Date.now() + ahead) => format.formatMoment(locale, time, now),
      shortDay: (time: string | number) => format.formatShortDay(locale, time),
      day: (time: string | number) => format.formatDay(locale, time),
      /** `now` is a time of the hub. */
      ago: (time: string | number, now = Date.now() + ahead) => format.formatAgo(locale, time, now),
      elapsed: (seconds: number) => format.formatElapsed(locale, seconds),
      duration: (seconds: number) => format.formatDuration(locale, seconds),
      share: (percent: number | null) => format.formatShare(locale, percent),
      rate: (kilobytes: number | null) => format.formatRate(locale, kilobytes),
    }),
    [locale, ahead],
  );
};
