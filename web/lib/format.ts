import { spaceFigures } from "../../src/shared/language";

const formatters = new Map<string, unknown>();

/** The IANA name of the page's time zone. */
export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** The time zones that the browser knows, beginning with the viewer's own. */
export const timeZones = (): string[] => [
  ...new Set([browserTimeZone(), "UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])]),
];

/** Creating Intl objects is slow, so they are cached. */
const cached = <T>(key: string, make: () => T): T => {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key) as T;
};

export const formatNumber = (locale: string, value: number, digits = 0) =>
  cached(`n${locale}${digits}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits })).format(value);

/** "a, b and c". */
export const formatList = (locale: string, texts: readonly string[]) =>
  cached(`l${locale}`, () => new Intl.ListFormat(locale))
    .formatToParts(texts)
    // In Chinese, the word between two items has a space beside Latin letters and digits.
    .map(({ value }, place, parts) =>
      value === "和" && place % 2 === 1
        ? (/\w$/.test(parts[place - 1]?.value ?? "") ? " 和" : "和") +
          (/^\w/.test(parts[place + 1]?.value ?? "") ? " " : "")
        : value,
    )
    .join("");

/** Names without a word between the last two: "a, b, c" or "a、b、c". */
export const formatNames = (locale: string, names: readonly string[]) =>
  names.join(locale.startsWith("zh") ? "、" : ", ");

/** With the same number of decimals, so that figures in a column align. */
export const formatFixed = (locale: string, value: number, digits = 2) =>
  cached(
    `p${locale}${digits}`,
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).format(value);

export const formatPercent = (locale: string, value: number | null) =>
  value === null ? "–" : `${formatFixed(locale, clampPercent(value))}%`;

/** Limits a percentage to 0–100 and keeps 99.999 from being rounded to 100. */
export const clampPercent = (value: number) => {
  const clamped = Math.min(100, Math.max(0, value));
  return clamped < 100 ? Math.min(99.99, clamped) : 100;
};

export const formatMilliseconds = (locale: string, value: number | null) =>
  value === null ? "–" : `${formatNumber(locale, value, value < 10 ? 1 : 0)} ms`;

/** Every time on the page has 24 hours, and every date the same form: "Jan 15, 2026" or "2026年1月15日". */
export const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
export const DATE = { month: "short", day: "numeric" } as const;

/** Date and time to the second. */
export const formatDateTime = (locale: string, time: string | number) =>
  cached(
    `d${locale}`,
    () => new Intl.DateTimeFormat(locale, { year: "numeric", ...DATE, ...CLOCK, second: "2-digit" }),
  ).format(new Date(time));

const isSameDay = (one: string | number, other: string | number) =>
  new Date(one).toDateString() === new Date(other).toDateString();

type Pair = [from: string, to: string];

/** Two times to the second, the later one without its date where that is the same. */
export const formatDateTimes = (locale: string, from: string | number, to: string | number): Pair => {
  const begin = formatDateTime(locale, from);
  if (formatDateTime(locale, to) === begin) return [begin, begin];
  const time = () => new Intl.DateTimeFormat(locale, { ...CLOCK, second: "2-digit" });
  return [begin, isSameDay(from, to) ? cached(`t${locale}`, time).format(new Date(to)) : formatDateTime(locale, to)];
};

/** A time of today as its hour and minute, an earlier one with its day. */
export const formatMoment = (locale: string, time: string | number, now: number) => {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date(now).toDateString();
  const options = isToday ? CLOCK : { ...DATE, ...CLOCK };
  return cached(`m${locale}${isToday}`, () => new Intl.DateTimeFormat(locale, options)).format(at);
};

/** Two moments, the later one without its date where that is the same; within a minute both alike. */
export const formatMoments = (locale: string, from: string | number, to: string | number, now: number): Pair => {
  const [begin, end] = [formatMoment(locale, from, now), formatMoment(locale, to, now)];
  return [begin, begin !== end && isSameDay(from, to) ? formatClock(locale, to) : end];
};

/** Two texts as a range, or as one where they are equal. */
const rangeOf = ([from, to]: Pair): string => (from === to ? from : `${from}–${to}`);

/** Two moments as a range. */
export const formatMomentRange = (locale: string, from: string | number, to: string | number, now: number) =>
  rangeOf(formatMoments(locale, from, to, now));

/** The weekday, day, hour and minute of a time in a time zone. */
export const formatInZone = (locale: string, time: string | number, timeZone: string) =>
  cached(
    `z${locale}${timeZone}`,
    () => new Intl.DateTimeFormat(locale, { weekday: "short", ...DATE, ...CLOCK, timeZone }),
  ).format(new Date(time));

/** The hour and minute of a time. */
export const formatClock = (locale: string, time: string | number) =>
  cached(`h${locale}`, () => new Intl.DateTimeFormat(locale, CLOCK)).format(new Date(time));

export const formatDay = (locale: string, time: string | number) =>
  cached(`y${locale}`, () => new Intl.DateTimeFormat(locale, { year: "numeric", ...DATE })).format(new Date(time));

/** The day of the month alone: "15" or "15日". */
const formatDayOfMonth = (locale: string, time: string) =>
  cached(`dm${locale}`, () => new Intl.DateTimeFormat(locale, { day: "numeric" })).format(new Date(time));

const isSameMonth = (one: string, other: string): boolean => {
  const [a, b] = [new Date(one), new Date(other)];
  return a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth();
};

/** The first and the last day of a range, with a common month and year once: "Jan 9–15, 2026" or "2026年1月9日–15日". */
export const formatDays = (locale: string, from: string, to: string) => {
  const [begin, end] = [formatDay(locale, from), formatDay(locale, to)];
  if (begin === end) return begin;
  if (new Date(from).getFullYear() !== new Date(to).getFullYear()) return `${begin} – ${end}`;
  if (locale.startsWith("zh"))
    return `${begin}–${isSameMonth(from, to) ? formatDayOfMonth(locale, to) : formatShortDay(locale, to)}`;
  return isSameMonth(from, to)
    ? `${formatShortDay(locale, from)}–${end.replace(/^\D+/, "")}`
    : `${formatShortDay(locale, from)} – ${end}`;
};

/** A time to the minute, with its year unless it is this year. */
const formatShortDateTime = (locale: string, time: string | number) => {
  const at = new Date(time);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  const options = { ...(!isThisYear && ({ year: "numeric" } as const)), ...DATE, ...CLOCK };
  return cached(`sdt${locale}${isThisYear}`, () => new Intl.DateTimeFormat(locale, options)).format(at);
};

/** Two times to the minute, the later one without its date where that is the same; within a minute both alike. */
export const formatShortDateTimes = (locale: string, from: string | number, to: string | number): Pair => {
  const [begin, end] = [formatShortDateTime(locale, from), formatShortDateTime(locale, to)];
  return [begin, begin !== end && isSameDay(from, to) ? formatClock(locale, to) : end];
};

/** Two times to the minute as a range. */
export const formatShortRange = (locale: string, from: string | number, to: string | number) =>
  rangeOf(formatShortDateTimes(locale, from, to));

/** The day and the month of a date, without the year. */
export const formatShortDay = (locale: string, time: string | number) =>
  cached(`sd${locale}`, () => new Intl.DateTimeFormat(locale, DATE)).format(new Date(time));

/** The length of units: Chinese reads better with short ones, English spelt out. */
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
  const relative = cached(
    `r${locale}`,
    () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: spelling(locale) }),
  );
  return spaceFigures(relative.format(Math.trunc(seconds / size), unit));
};

const partsOf = (locale: string, seconds: number, units: typeof steps) => {
  let rest = Math.max(0, Math.round(seconds));
  return units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [formatUnit(locale, count, unit)] : [];
  });
};

/** Seconds as at most two units: 90 → "1 minute 30 seconds". */
export const formatDuration = (locale: string, seconds: number) =>
  partsOf(locale, seconds, steps).slice(0, 2).join(" ") || formatUnit(locale, 0, "second");

const SHORT_UNITS: Record<string, Record<string, string>> = {
  en: { day: "d", hour: "h", minute: "min", second: "s" },
  zh: { day: "天", hour: "小时", minute: "分钟", second: "秒" },
};

/** Seconds as their two largest units, seconds only below a minute: 9,960 → "2 h 46 min" or "2 小时 46 分钟". */
export const formatElapsed = (locale: string, seconds: number) => {
  const units = SHORT_UNITS[locale.slice(0, 2)] ?? {};
  const [first, ...smaller] = steps.slice(steps.findIndex(([, size]) => seconds >= size));
  if (!first || seconds < 1) return `0 ${units.second}`;
  const [unit, size] = first;
  const [next] = smaller;
  const rest = next && unit !== "minute" ? Math.floor((seconds % size) / next[1]) : 0;
  const text = `${formatNumber(locale, Math.floor(seconds / size))} ${units[unit]}`;
  return next && rest > 0 ? `${text} ${rest} ${units[next[0]]}` : text;
};

/**
 * A number of seconds between two bounds in the unit of the larger one: "3–4 min"; as one where they differ by little, and
 * "< 1 s" below that.
 */
export const formatElapsedBetween = (locale: string, least: number, most: number) => {
  if (most < 1) return `< ${formatElapsed(locale, 1)}`;
  if (most - least <= Math.max(10, most / 20)) return formatElapsed(locale, least);
  const units = SHORT_UNITS[locale.slice(0, 2)] ?? {};
  const [unit, size] = steps.find(([, length]) => most >= 2 * length) ?? (["second", 1] as const);
  const [from, to] = [Math.floor(least / size), Math.ceil(most / size)];
  return `${from === to ? from : `${from}–${to}`} ${units[unit]}`;
};

/** Seconds as days, hours and minutes: 93,780 → "1 day 2 hours 3 minutes". */
export const formatUptime = (locale: string, seconds: number) =>
  partsOf(locale, seconds, steps.slice(0, 3)).join(" ") || formatUnit(locale, 0, "minute");

/** Seconds without conversion, for settings that are specified in seconds: 90 → "90 s" or "90 秒". */
export const formatSeconds = (locale: string, seconds: number) =>
  `${formatNumber(locale, seconds)} ${locale.startsWith("zh") ? "秒" : "s"}`;

const formatUnit = (locale: string, value: number, unit: string) => {
  const format = () => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: spelling(locale) });
  return spaceFigures(cached(`u${locale}${unit}`, format).format(value));
};

const byteUnits = ["B", "KB", "MB", "GB", "TB", "PB"];
const KILO = 1024;

/** The power of 1,024, below `units`, that leaves less than 1,000. */
const powerOf = (amount: number, units: number): number => {
  let power = 0;
  while (power < units - 1 && Math.round((amount / KILO ** power) * 10) >= 10_000) power++;
  return power;
};

/** The usage of a resource, in percent with one decimal. */
export const formatShare = (locale: string, percent: number | null) =>
  percent === null ? "–" : `${formatNumber(locale, percent, 1)}%`;

/** Used and total bytes, both in the unit of the total: ["3.1", "15.6 GB"]. */
export const formatBytes = (locale: string, used: number, total: number): [used: string, total: string] => {
  const power = powerOf(total, byteUnits.length);
  const number = (bytes: number) => formatNumber(locale, bytes / KILO ** power, 1);
  return [number(used), `${number(total)} ${byteUnits[power]}`];
};

/** Bytes in their own unit: "180 MB". */
export const formatSize = (locale: string, bytes: number) => formatBytes(locale, bytes, bytes)[1];

/** Degrees Celsius: "47.5 °C". */
export const formatCelsius = (locale: string, celsius: number | null) =>
  celsius === null ? "–" : `${formatFixed(locale, celsius, 1)} °C`;

/** Degrees Celsius in a narrow column: "48°". */
export const formatDegrees = (locale: string, celsius: number) => `${formatNumber(locale, celsius)}°`;

/** Control characters, and those that would turn the direction of the text around them. */
const UNREADABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A name that a machine reports, with a mark in place of each character that is not for reading. */
export const readableName = (name: string): string => name.replace(UNREADABLE, "\ufffd");

const rateUnits = ["KB/s", "MB/s", "GB/s"];

/** A rate in the unit of its size, at least KB/s. */
export const formatRate = (locale: string, kilobytes: number | null) => {
  if (kilobytes === null) return "–";
  const power = powerOf(kilobytes, rateUnits.length);
  return `${formatNumber(locale, kilobytes / KILO ** power, 1)} ${rateUnits[power]}`;
};

/** A rate in a narrow column: whole KB/s, and no line break before the unit. */
export const formatShortRate = (locale: string, kilobytes: number | null) =>
  formatRate(locale, kilobytes !== null && powerOf(kilobytes, 2) === 0 ? Math.round(kilobytes) : kilobytes).replace(
    " ",
    "\u00a0",
  );

/** The level of a resource's usage: green below 50 %, amber below 75 %, otherwise red. */
export const resourceLevel = (percent: number): "green" | "amber" | "red" =>
  percent < 50 ? "green" : percent < 75 ? "amber" : "red";
