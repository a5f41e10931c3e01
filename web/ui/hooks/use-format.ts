import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../../src/shared/language";
import { type CheckErrorCode, checkErrorText, type ErrorDetail } from "../../../src/shared/monitor";
import * as format from "../../lib/format";

type Failed = { error_code: CheckErrorCode | null; error_detail: ErrorDetail | null };

/** Renders why a check failed, as a sentence in the language of the interface; empty for a check that succeeded. */
export const useCheckError = () => {
  const { i18n } = useTranslation();
  return ({ error_code: code, error_detail: detail }: Failed): string => {
    const text = code === null ? "" : checkErrorText({ code, detail }, i18n.language as Language);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
};

/** Numbers, times and durations in the language of the interface. */
export const useFormat = () => {
  const { i18n } = useTranslation();
  const locale = i18n.language;
  return useMemo(
    () => ({
      list: (texts: readonly string[]) => format.formatList(locale, texts),
      number: (value: number, digits?: number) => format.formatNumber(locale, value, digits),
      fixed: (value: number) => format.formatFixed(locale, value),
      percent: (value: number | null) => format.formatPercent(locale, value),
      milliseconds: (value: number | null) => format.formatMilliseconds(locale, value),
      dateTime: (time: string | number) => format.formatDateTime(locale, time),
      day: (time: string | number) => format.formatDay(locale, time),
      ago: (time: string | number, now: number) => format.formatAgo(locale, time, now),
      seconds: (seconds: number) => format.formatSeconds(locale, seconds),
      duration: (seconds: number) => format.formatDuration(locale, seconds),
      uptime: (seconds: number) => format.formatUptime(locale, seconds),
      share: (percent: number | null) => format.formatShare(locale, percent),
      bytes: (used: number, total: number) => format.formatBytes(locale, used, total),
      rate: (kilobytes: number | null) => format.formatRate(locale, kilobytes),
    }),
    [locale],
  );
};
