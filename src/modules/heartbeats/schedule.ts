import type { FieldError } from "../../core/errors";
import { SECOND } from "../../shared/limits";
import { isTimeZone } from "../../shared/time-zone";

export const CRON_LENGTH = 100;
export const ZONE_LENGTH = 64;

export const CRON_EXPECTED =
  "expected a cron expression of five fields (minute, hour, day, month, weekday) or a name such as @daily; seconds, L, W and # are not supported";

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

/** The first times of a cron expression after `from`, in epoch milliseconds: fewer than `count` if it has no more. */
export const nextCronTimes = ({ cron, tz }: { cron: string; tz: string }, from: number, count: number): number[] => {
  const times: number[] = [];
  for (let at: number | null = from; times.length < count; times.push(at)) {
    at = nextCronTime(cron, tz, at);
    if (at === null) break;
  }
  return times;
};

/** Whether a cron expression is understood and has a time. */
const isCron = (expression: string): boolean => {
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

/** What is wrong with a cron expression and its time zone; fields of other types are not looked at. */
export const cronProblems = ({ cron, tz }: Record<string, unknown>): FieldError[] => [
  ...(typeof cron === "string" && !isCron(cron.trim()) ? [{ path: "cron", message: `cron: ${CRON_EXPECTED}` }] : []),
  ...(typeof tz === "string" && !isTimeZone(tz)
    ? [{ path: "tz", message: "tz: expected a time zone such as Europe/Berlin" }]
    : []),
];
