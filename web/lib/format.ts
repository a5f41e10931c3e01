const formatters = new Map<string, unknown>();

/** Intl objects are dear to make and free to keep. */
const kept = <T>(key: string, make: () => T): T => {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key) as T;
};

export const formatNumber = (locale: string, value: number, digits = 0) =>
  kept(`n${locale}${digits}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits })).format(value);

/** "a, b and c". */
export const formatList = (locale: string, texts: readonly string[]) =>
  kept(`l${locale}`, () => new Intl.ListFormat(locale)).format(texts);

/** Always two decimals, so that figures beside each other line up. */
export const formatFixed = (locale: string, value: number) =>
  kept(
    `p${locale}`,
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ).format(value);

export const formatPercent = (locale: string, value: number | null) =>
  value === null ? "–" : `${formatFixed(locale, clampPercent(value))}%`;

/** Rounding must not turn 99.999 into a perfect 100. */
export const clampPercent = (value: number) => {
  const clamped = Math.min(100, Math.max(0, value));
  return clamped < 100 ? Math.min(99.99, clamped) : 100;
};

export const formatMilliseconds = (locale: string, value: number | null) =>
  value === null ? "–" : `${formatNumber(locale, value, value < 10 ? 1 : 0)} ms`;

/** Date and time as the locale writes them: with AM and PM in en-US, with 24 hours in zh-CN. */
export const formatDateTime = (locale: string, time: string | number) =>
  kept(
    `d${locale}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
      }),
  ).format(new Date(time));

export const formatDay = (locale: string, time: string | number) =>
  kept(`y${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: "medium" })).format(new Date(time));

/** Chinese has short units that read better than its long ones; English is better spelt out. */
const spelling = (locale: string) => (locale.startsWith("zh") ? "short" : "long");

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

export const formatAgo = (locale: string, time: string | number, now: number) => {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000);
  const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? (["second", 1] as const);
  const relative = kept(
    `r${locale}`,
    () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: spelling(locale) }),
  );
  return relative.format(Math.trunc(seconds / size), unit);
};

const partsOf = (locale: string, seconds: number, units: typeof steps) => {
  let rest = Math.max(0, Math.round(seconds));
  return units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [formatUnit(locale, count, unit)] : [];
  });
};

/** 90 → "1 minute 30 seconds", at most two units. */
export const formatDuration = (locale: string, seconds: number) =>
  partsOf(locale, seconds, steps).slice(0, 2).join(" ") || formatUnit(locale, 0, "second");

/** 93,780 → "1 day 2 hours 3 minutes": how long something has run, to the minute. */
export const formatUptime = (locale: string, seconds: number) =>
  partsOf(locale, seconds, steps.slice(0, 3)).join(" ") || formatUnit(locale, 0, "minute");

/** 90 → "90 s" or "90 秒": for settings that are specified in seconds. */
export const formatSeconds = (locale: string, seconds: number) =>
  `${formatNumber(locale, seconds)} ${locale.startsWith("zh") ? "秒" : "s"}`;

const formatUnit = (locale: string, value: number, unit: string) =>
  kept(
    `u${locale}${unit}`,
    () => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: spelling(locale) }),
  ).format(value);

const byteUnits = ["B", "KB", "MB", "GB", "TB", "PB"];
const KILO = 1024;

/** A share of something that is used up, in percent with one decimal. */
export const formatShare = (locale: string, percent: number | null) =>
  percent === null ? "–" : `${formatNumber(locale, percent, 1)}%`;

/** Bytes of a total, both in the unit that suits the total: ["3.1", "15.6 GB"]. */
export const formatBytes = (locale: string, used: number, total: number): [used: string, total: string] => {
  const power = total < KILO ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log(total) / Math.log(KILO)));
  const number = (bytes: number) => formatNumber(locale, bytes / KILO ** power, 1);
  return [number(used), `${number(total)} ${byteUnits[power]}`];
};

/** KB/s, and from 1,024 of them on MB/s. */
export const formatRate = (locale: string, kilobytes: number | null) => {
  if (kilobytes === null) return "–";
  return kilobytes < KILO
    ? `${formatNumber(locale, kilobytes, 1)} KB/s`
    : `${formatNumber(locale, kilobytes / KILO, 1)} MB/s`;
};

/** The level of a resource in use: green below 50 %, amber below 75 %, red from there. */
export const resourceLevel = (percent: number): "green" | "amber" | "red" =>
  percent < 50 ? "green" : percent < 75 ? "amber" : "red";
