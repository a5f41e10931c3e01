/** The months and days of a page's history. Months begin in the page's zone; days are in UTC, as in its bars. */
import type { Interval } from "../../../lib/intervals";
import { DAY } from "../../../shared/limits";
import { dateOfDay, dayIn, startOfDay } from "../../../shared/time-zone";

type Clocked = { zone: string; historyDays: number };
/** A part of the history with its neighbours; null where the history begins or ends. */
export type HistorySpan = Interval & {
  month: string | null;
  day: string | null;
  earlier: string | null;
  later: string | null;
};

/** The first day of a page's history, counted from 1970-01-01. */
export const firstDayOf = (historyDays: number, now: number): number => Math.floor(now / DAY) - historyDays + 1;

const monthOf = (zone: string, time: number): string => dateOfDay(dayIn(zone, time)).slice(0, "2026-01".length);

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;

const neighbour = (month: string, step: 1 | -1): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, "2026-01".length);
};

/** A month of the history, the current one without its name; null for one outside. */
export const monthSpan = ({ zone, historyDays }: Clocked, now: number, asked?: string): HistorySpan | null => {
  const oldest = firstDayOf(historyDays, now) * DAY;
  const [first, last] = [monthOf(zone, oldest), monthOf(zone, now)];
  const month = asked ?? last;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || month < first || month > last) return null;
  const from = startOfDay(zone, dayNumber(`${month}-01`));
  const to = startOfDay(zone, dayNumber(`${neighbour(month, 1)}-01`));
  return {
    ...{ month, day: null, from: Math.max(from, oldest), to },
    earlier: month > first ? neighbour(month, -1) : null,
    later: month < last ? neighbour(month, 1) : null,
  };
};

/** A day of the history; null for one outside. */
export const daySpan = ({ historyDays }: Clocked, now: number, day: string): HistorySpan | null => {
  const number = /^\d{4}-\d\d-\d\d$/.test(day) ? dayNumber(day) : Number.NaN;
  const [first, last] = [firstDayOf(historyDays, now), Math.floor(now / DAY)];
  if (!(number >= first && number <= last) || dateOfDay(number) !== day) return null;
  return {
    ...{ month: null, day, from: number * DAY, to: (number + 1) * DAY },
    earlier: number > first ? dateOfDay(number - 1) : null,
    later: number < last ? dateOfDay(number + 1) : null,
  };
};
