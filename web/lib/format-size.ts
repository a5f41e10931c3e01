import { formatNumber } from "./format";

const units = ["B", "KB", "MB", "GB", "TB", "PB"];
const step = 1024;

/** A share of something that is used up, in percent with one decimal. */
export const formatShare = (locale: string, percent: number | null) =>
  percent === null ? "–" : `${formatNumber(locale, percent, 1)}%`;

/** Bytes of a total, both in the unit that suits the total: ["3.1", "15.6 GB"]. */
export const formatBytes = (locale: string, used: number, total: number): [used: string, total: string] => {
  const power = total < step ? 0 : Math.min(units.length - 1, Math.floor(Math.log(total) / Math.log(step)));
  const number = (bytes: number) => formatNumber(locale, bytes / step ** power, 1);
  return [number(used), `${number(total)} ${units[power]}`];
};

/** KB/s, and from 1,024 of them on MB/s. */
export const formatRate = (locale: string, kilobytes: number | null) => {
  if (kilobytes === null) return "–";
  return kilobytes < step
    ? `${formatNumber(locale, kilobytes, 1)} KB/s`
    : `${formatNumber(locale, kilobytes / step, 1)} MB/s`;
};
