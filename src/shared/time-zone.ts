import { dateTimeFormat } from "./language";
import { DAY, MINUTE } from "./limits";

/** Whether this process has an IANA time zone of this name. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    dateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** The wall time of a zone at a time, in whole minutes, as if it were UTC. An unknown zone is UTC. */
export const wallTime = (timeZone: string, time: number): number => {
  const parts = dateTimeFormat("en-US", {
    timeZone: isTimeZone(timeZone) ? timeZone : "UTC",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" },
  }).formatToParts(time);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(value("year"), value("month") - 1, value("day"), value("hour"), value("minute"));
};

/** The distance of every zone from UTC, and every change of it, is a multiple of this, so the date is the same within it. */
const SLOT = 15 * MINUTE;
const DAYS_KEPT = 100;
const lastDays = new Map<string, { slot: number; day: number }>();

/** The date in a zone at a time, as the number of days from 1970-01-01. */
export const dayIn = (timeZone: string, time: number): number => {
  const slot = Math.floor(time / SLOT);
  const last = lastDays.get(timeZone);
  if (last?.slot === slot) return last.day;
  if (lastDays.size >= DAYS_KEPT) lastDays.clear();
  const day = Math.floor(wallTime(timeZone, slot * SLOT) / DAY);
  lastDays.set(timeZone, { slot, day });
  return day;
};

/** When a date begins in a zone: at its midnight, or at the change of clocks that skips midnight. */
export const startOfDay = (timeZone: string, day: number): number => {
  // No zone is further from UTC than 14 hours.
  let [before, from] = [day * DAY - 15 * 60 * MINUTE, day * DAY + 15 * 60 * MINUTE];
  while (from - before > SLOT) {
    const middle = Math.floor((before + from) / 2 / SLOT) * SLOT;
    if (dayIn(timeZone, middle) >= day) from = middle;
    else before = middle;
  }
  return from;
};

/** The distance of a zone from UTC at a time, in whole minutes. */
const offsetAt = (timeZone: string, time: number): number =>
  wallTime(timeZone, time) - Math.floor(time / MINUTE) * MINUTE;

/** Longer than the distance of any zone from UTC, and than any change of it. */
const FAR = 26 * 60 * MINUTE;

/**
 * When a wall time, in whole minutes as if it were UTC, comes in a zone: the first of two times, or the end of the gap where the
 * clock skips it.
 */
export const firstTimeOf = (timeZone: string, wall: number): number => {
  const [before, after] = [wall - FAR, wall + FAR].map((time) => wall - offsetAt(timeZone, time)) as [number, number];
  const [earlier, later] = [Math.min(before, after), Math.max(before, after)];
  for (const time of [earlier, later]) if (wallTime(timeZone, time) === wall) return time;
  // The clock changes after the earlier one.
  let [low, high] = [earlier, later];
  while (high - low > MINUTE) {
    const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
    if (wallTime(timeZone, middle) < wall) low = middle;
    else high = middle;
  }
  return high;
};

/** The date of a day that is counted from 1970-01-01, YYYY-MM-DD. */
export const dateOfDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** The days of a zone that a span touches, cut to it. */
export const daysWithin = (
  timeZone: string,
  { from, to }: { from: number; to: number },
): { date: string; from: number; to: number }[] => {
  const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, to - 1)];
  const starts = Array.from({ length: last - first + 2 }, (_, index) => startOfDay(timeZone, first + index));
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    date: dateOfDay(first + index),
    from: Math.max(from, starts[index] as number),
    to: Math.min(to, starts[index + 1] as number),
  }));
};
