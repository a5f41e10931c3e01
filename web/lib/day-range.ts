/** Ranges of whole days in the viewer's time zone: a preset, or two dates. */

const DAY = 86_400_000;

export const PRESETS = ["today", "week", "month", "lastMonth"] as const;
export type Preset = (typeof PRESETS)[number];
/** Dates are as in a date field, 2026-01-15; both are within the range. */
export type Range = { preset: Preset } | { from: string; to: string };

/** A date as in a date field. */
const dateText = (date: Date): string => {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The midnight that begins a date, or one some days later. */
const midnight = (text: string, later = 0): Date => {
  const [year = 1970, month = 1, day = 1] = text.split("-").map(Number);
  return new Date(year, month - 1, day + later);
};

const isDate = (text: string | null): text is string =>
  text !== null && DATE.test(text) && dateText(midnight(text)) === text;

/** The time from the first of two dates to the end of the last one, in milliseconds. It ends before it begins where they are in the wrong order. */
export const spanOfDates = ({ from, to }: { from: string; to: string }): { from: number; to: number } => ({
  from: midnight(from).getTime(),
  to: midnight(to, 1).getTime(),
});

/** Begin and end of a range as the API takes them. Undefined where the dates are in the wrong order. */
export const timesOf = (range: Range, now: Date): { from: string; to: string } | undefined => {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const times = (from: Date, to: Date) => ({ from: from.toISOString(), to: to.toISOString() });
  if (!("preset" in range)) {
    const { from, to } = spanOfDates(range);
    return from < to ? times(new Date(from), new Date(to)) : undefined;
  }
  switch (range.preset) {
    case "today":
      return times(new Date(year, month, day), new Date(year, month, day + 1));
    case "week":
      return times(new Date(year, month, day - 6), new Date(year, month, day + 1));
    case "month":
      return times(new Date(year, month, 1), new Date(year, month + 1, 1));
    case "lastMonth":
      return times(new Date(year, month - 1, 1), new Date(year, month, 1));
  }
};

/** The dates of a span of time in milliseconds. */
export const daysOf = ({ from, to }: { from: number; to: number }): { from: string; to: string } => ({
  from: dateText(new Date(from)),
  to: dateText(new Date(to - 1)),
});

/** The first and the last date of a range. */
export const datesOf = (range: Range, now: Date): { from: string; to: string } => {
  if (!("preset" in range)) return range;
  const { from, to } = timesOf(range, now) ?? { from: now, to: now };
  return daysOf({ from: new Date(from).getTime(), to: new Date(to).getTime() });
};

/** Whether dates are one whole month. */
export const isMonth = ({ from, to }: { from: string; to: string }): boolean =>
  from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7) && dateText(midnight(to, 1)).endsWith("-01");

/** The dates before or after some: a month for a whole month, and as many days otherwise. */
export const shiftDates = (dates: { from: string; to: string }, by: 1 | -1): { from: string; to: string } => {
  const [from, end] = [midnight(dates.from), midnight(dates.to, 1)];
  if (isMonth(dates)) {
    const first = new Date(from.getFullYear(), from.getMonth() + by, 1);
    return { from: dateText(first), to: dateText(new Date(first.getFullYear(), first.getMonth() + 1, 0)) };
  }
  // Rounded, because a day may have 23 or 25 hours.
  const days = by * Math.round((end.getTime() - from.getTime()) / DAY);
  return { from: dateText(midnight(dates.from, days)), to: dateText(midnight(dates.to, days)) };
};

/** The range in an address; the last seven days without a valid one, or `usual`. */
export const rangeIn = (search: URLSearchParams, usual: Preset = "week"): Range => {
  const [from, to] = [search.get("from"), search.get("to")];
  if (isDate(from) && isDate(to)) return { from, to };
  const preset = PRESETS.find((name) => name === search.get("range"));
  return { preset: preset ?? usual };
};
