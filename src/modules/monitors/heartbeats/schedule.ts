import type { FieldError } from "../../../core/errors";
import { cronProblem, nextCronTime } from "../../../lib/time";
import { MINUTE, SECOND } from "../../../shared/limits";
import { isTimeZone, wallTime } from "../../../shared/time-zone";

/** When pings are expected: once in a period, or at the times of a cron expression. Seconds. */
export type Schedule = ({ every: number } | { cron: string; tz: string }) & {
  /** How late a ping may be, and how long a run may take. */
  grace: number;
};

/** How early a ping may be, because clocks differ (ms). */
export const EARLY = 10 * SECOND;

/** The first times of a cron expression after `from`, in epoch milliseconds: fewer than `count` if it has no more. */
export const nextCronTimes = ({ cron, tz }: { cron: string; tz: string }, from: number, count: number): number[] => {
  const times: number[] = [];
  for (let at: number | null = from; times.length < count; times.push(at)) {
    at = nextCronTime(cron, tz, at);
    if (at === null) break;
  }
  return times;
};

/**
 * The next run of a cron expression after `from`. A time that the clock skips in spring is due after the gap: cron runs the
 * job right after the change, `Bun.cron` later by the length of the gap, and a ping between the two belongs to the skipped
 * time.
 */
const nextCronRun = (cron: string, tz: string, from: number): number | null => {
  const next = nextCronTime(cron, tz, from);
  if (next === null || tz === "UTC") return next;
  const wall = wallTime(tz, next);
  const isSkipped = nextCronTime(cron, "UTC", wall - 1) !== wall;
  const minute = from - (from % MINUTE);
  const isAfterGap = wall - next === wallTime(tz, minute) - minute;
  return isSkipped && isAfterGap ? nextCronTime(cron, tz, next) : next;
};

/** When the next ping is expected after one at `from`. */
export const nextExpected = (schedule: Schedule, from: number): number =>
  "every" in schedule
    ? from + schedule.every * SECOND
    : (nextCronRun(schedule.cron, schedule.tz, from + EARLY) ?? Number.MAX_SAFE_INTEGER);

/** Errors of a cron expression and its time zone; ignores fields of other types. */
export const cronProblems = ({ cron, tz }: Record<string, unknown>): FieldError[] => {
  const problem = typeof cron === "string" ? cronProblem(cron.trim()) : null;
  return [
    ...(problem === null ? [] : [problem]),
    ...(typeof tz === "string" && !isTimeZone(tz)
      ? [{ path: "tz", message: "tz: expected a time zone such as Europe/Berlin" }]
      : []),
  ];
};
