import { DAY, HOUR, MINUTE, SECOND } from "../shared/limits";

/** The clock of the hub, which tests replace by a fixed one. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
};

export const systemClock: Clock = { now: Date.now, sleep: (milliseconds) => Bun.sleep(milliseconds) };

/** The numbers of the buckets since a time, including the current one. */
export const bucketsSince = (since: number, now: number, length: number): number[] => {
  const first = Math.floor(since / length);
  return Array.from({ length: Math.floor(now / length) - first + 1 }, (_, index) => first + index);
};

/** Milliseconds. A clock that went back by more than this was set; less is drift. */
export const CLOCK_JUMP_MS = 2000;

const dates = new Map<number, string>();
const DATES_KEPT = 1000;

const dateOf = (day: number): string => {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size >= DATES_KEPT) dates.clear();
  const date = new Date(day * DAY).toISOString().slice(0, 11);
  dates.set(day, date);
  return date;
};

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/**
 * Formats a time as ISO 8601 in UTC with milliseconds, like Date's toISOString but much faster: lists hold
 * thousands of times of a few days.
 */
export const isoTime = (time: number): string => {
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const hours = Math.floor(rest / HOUR);
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  const seconds = Math.floor((rest % MINUTE) / SECOND);
  return `${dateOf(day)}${TWO[hours]}:${TWO[minutes]}:${TWO[seconds]}.${THREE[rest % SECOND]}Z`;
};

/** Formats a time like isoTime; null stays null. */
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));
