import { SECOND } from "../../shared/limits";

/** When pings are expected: once in a period, or at the times of a cron expression. Seconds. */
export type Schedule = ({ every: number } | { cron: string; tz: string }) & {
  /** How late a ping may be, and how long a run may take. */
  grace: number;
};

/** Milliseconds by which a ping may be early for a time of a cron expression, because clocks differ. */
const EARLY = 10 * SECOND;

/**
 * The first time of a cron expression after `from`; null if there is none in the next years.
 * @throws {Error} for an expression or a time zone that is not understood
 */
const nextCronTime = (cron: string, tz: string, from: number): number | null =>
  Bun.cron.parse(cron, new Date(from), { tz })?.getTime() ?? null;

/** Whether a cron expression is understood and has a time. */
export const isCron = (expression: string): boolean => {
  try {
    return nextCronTime(expression, "UTC", 0) !== null;
  } catch {
    return false;
  }
};

/** When the next ping is expected after one at `from`. */
export const nextExpected = (schedule: Schedule, from: number): number =>
  "every" in schedule
    ? from + schedule.every * SECOND
    : (nextCronTime(schedule.cron, schedule.tz, from + EARLY) ?? Number.MAX_SAFE_INTEGER);
