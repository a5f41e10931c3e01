import { useAtomValue } from "jotai";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import * as format from "../../lib/format";
import { aheadAtom } from "../../lib/now";
import { usePageFormat } from "./use-page-format";

/** Numbers, times and durations in the language of the interface. */
export const useFormat = () => {
  const { i18n } = useTranslation();
  const locale = i18n.language;
  const ahead = useAtomValue(aheadAtom);
  const shared = usePageFormat();
  return useMemo(
    () => ({
      ...shared,
      list: (texts: readonly string[]) => format.formatList(locale, texts),
      number: (value: number, digits?: number) => format.formatNumber(locale, value, digits),
      fixed: (value: number, digits?: number) => format.formatFixed(locale, value, digits),
      dateTimes: (from: string | number, to: string | number) => format.formatDateTimes(locale, from, to),
      moments: (from: string | number, to: string | number, now = Date.now() + ahead) =>
        format.formatMoments(locale, from, to, now),
      momentRange: (from: string | number, to: string | number, now = Date.now() + ahead) =>
        format.formatMomentRange(locale, from, to, now),
      inZone: (time: string | number, timeZone: string) => format.formatInZone(locale, time, timeZone),
      clock: (time: string | number) => format.formatClock(locale, time),
      shortDateTimes: (from: string | number, to: string | number) => format.formatShortDateTimes(locale, from, to),
      shortRange: (from: string | number, to: string | number) => format.formatShortRange(locale, from, to),
      days: (from: string, to: string) => format.formatDays(locale, from, to),
      seconds: (seconds: number) => format.formatSeconds(locale, seconds),
      elapsedBetween: (least: number, most: number) => format.formatElapsedBetween(locale, least, most),
      uptime: (seconds: number) => format.formatUptime(locale, seconds),
      size: (bytes: number) => format.formatSize(locale, bytes),
      /** A figure without a unit; a dash where it is unknown. */
      figure: (value: number | null) => (value === null ? "–" : format.formatFixed(locale, value)),
      celsius: (celsius: number | null) => format.formatCelsius(locale, celsius),
      /** Figures of an axis. */
      axisNumber: (value: number) => format.formatNumber(locale, value, 2),
      axisCelsius: (celsius: number) => `${format.formatNumber(locale, celsius)} °C`,
      degrees: (celsius: number) => format.formatDegrees(locale, celsius),
      bytes: (used: number, total: number) => format.formatBytes(locale, used, total),
      shortRate: (kilobytes: number | null) => format.formatShortRate(locale, kilobytes),
    }),
    [locale, ahead, shared],
  );
};
