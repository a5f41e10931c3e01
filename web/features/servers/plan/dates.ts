import type { TFunction } from "i18next";
import { DAY } from "../../../../src/shared/limits";

/** Noon of a date, YYYY-MM-DD, where the page is read: it has the same date there. */
export const noonOf = (date: string): string => `${date}T12:00:00`;

/** The days from today, where the page is read, to a date. */
export const daysUntil = (date: string, now: number): number =>
  Math.round((Date.parse(noonOf(date)) - new Date(now).setHours(12, 0, 0, 0)) / DAY);

const dayBefore = (date: string): string => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);

/** Creating Intl objects is slow, so they are kept. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (locale: string, isCalendar: boolean): Intl.DateTimeFormat => {
  const key = `${locale} ${isCalendar}`;
  const options = { year: "numeric", month: isCalendar ? "long" : "short" } as const;
  const formatter =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, isCalendar ? options : { ...options, day: "numeric" });
  formats.set(key, formatter);
  return formatter;
};

/** A month of a plan, up to the day before `until`: "October 2026", or "Oct 15 – Nov 14, 2026". */
export const formatMonth = (locale: string, { since, until }: { since: string; until: string }): string => {
  const isCalendar = since.endsWith("-01") && until.endsWith("-01");
  const [first, last] = [since, dayBefore(until)].map((date) => new Date(noonOf(date))) as [Date, Date];
  return isCalendar ? formatOf(locale, true).format(first) : formatOf(locale, false).formatRange(first, last);
};

/** A period of payment, as after a price: the month of "/ month", or several of them. */
export const periodOf = (months: number, t: TFunction): string => {
  if (months === 1) return t("plan.everyMonth");
  if (months === 12) return t("plan.everyYear");
  return months % 12 === 0 ? t("plan.years", { count: months / 12 }) : t("plan.months", { count: months });
};
