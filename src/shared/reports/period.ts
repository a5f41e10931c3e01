/** The periods of reports. */
import { DAY } from "../limits";
import { dayIn, startOfDay } from "../time-zone";

/** Periods that move with the time. */
export const PERIODS = ["last_month", "month", "last_week", "week"] as const;
export type Period = (typeof PERIODS)[number];

/** Links to reports of one user. */
export const MAX_REPORT_LINKS = 50;

type Span = { from: number; to: number };

/** The number of the first day of the month of a day, or of a month some months later. */
export const monthStart = (day: number, later = 0): number => {
  const date = new Date(day * DAY);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY;
};

/** The Monday of the week of a day. Day 0 was a Thursday. */
export const weekStart = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);

const DAYS: Record<Period, (today: number) => [first: number, end: number]> = {
  last_month: (today) => [monthStart(today, -1), monthStart(today)],
  month: (today) => [monthStart(today), monthStart(today, 1)],
  last_week: (today) => [weekStart(today) - 7, weekStart(today)],
  // The last seven days.
  week: (today) => [today - 6, today + 1],
};

/** A period as of a time, in a zone. */
export const spanOfPeriod = (period: Period, zone: string, now: number): Span => {
  const [first, end] = DAYS[period](dayIn(zone, now));
  return { from: startOfDay(zone, first), to: startOfDay(zone, end) };
};

/**
 * The span before one, to compare it with: as many whole months before whole months, as many days before whole days, and as
 * long otherwise. While a span lasts, its part up to now is compared with an equally long one.
 */
export const spanBefore = ({ from, to }: Span, zone: string, now: number): Span => {
  const [first, end] = [dayIn(zone, from), dayIn(zone, to)];
  const isWhole = startOfDay(zone, first) === from && startOfDay(zone, end) === to;
  const isMonths = isWhole && monthStart(first) === first && monthStart(end) === end;
  const monthOf = (day: number) => new Date(day * DAY).getUTCFullYear() * 12 + new Date(day * DAY).getUTCMonth();
  const start = isMonths
    ? startOfDay(zone, monthStart(first, monthOf(first) - monthOf(end)))
    : isWhole
      ? startOfDay(zone, 2 * first - end)
      : 2 * from - to;
  return { from: start, to: to > now ? Math.max(start, Math.min(from, start + now - from)) : from };
};
