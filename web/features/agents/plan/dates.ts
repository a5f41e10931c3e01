import { DAY } from "../../../../src/shared/limits";

/** Noon of a date, YYYY-MM-DD, where the page is read: it has the same date there. */
export const noonOf = (date: string): string => `${date}T12:00:00`;

/** The days from today, where the page is read, to a date. */
export const daysUntil = (date: string, now: number): number =>
  Math.round((Date.parse(noonOf(date)) - new Date(now).setHours(12, 0, 0, 0)) / DAY);
