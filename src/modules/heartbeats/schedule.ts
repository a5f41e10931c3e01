import type { FieldError } from "../../core/errors";
import { createExpiringMap } from "../../lib/expiring-map";
import { DAY, MINUTE, SECOND } from "../../shared/limits";
import { isTimeZone } from "../../shared/time-zone";

export const CRON_LENGTH = 100;
export const ZONE_LENGTH = 64;

export const CRON_EXPECTED =
  "expected a cron expression of five fields (minute, hour, day, month, weekday) or a name such as @daily; seconds, L, W and # are not supported";
const CRON_NEVER = "the days of this cron expression never come, such as 30 February";

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

/** What is wrong with a cron expression, with a code; null for one that is understood and has a time. */
const cronProblem = (expression: string): (FieldError & { code: string }) | null => {
  try {
    const isNever = nextCronTime(expression, "UTC", 0) === null;
    return isNever ? { path: "cron", message: `cron: ${CRON_NEVER}`, code: "cron_never" } : null;
  } catch {
    return { path: "cron", message: `cron: ${CRON_EXPECTED}`, code: "cron_unknown" };
  }
};

const formats = createExpiringMap<string, Intl.DateTimeFormat>(50);

const formatOf = (tz: string): Intl.DateTimeFormat => {
  const known = formats.get(tz, 0);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: tz,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  formats.set(tz, format, 0, { lifetime: DAY });
  return format;
};

/** The wall clock of a time zone, to the minute, as if it were UTC. */
const wallClock = (tz: string, at: number): number => {
  const part = Object.fromEntries(
    formatOf(tz)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<"year" | "month" | "day" | "hour" | "minute", number>;
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute);
};

/**
 * When a cron expression is due after `from`. A time that the clock skips in spring is due after the gap: cron runs the job
 * right after the change, `Bun.cron` expects it as much later as the gap is long, and a ping between the two is that of
 * the skipped time.
 */
const nextCronRun = (cron: string, tz: string, from: number): number | null => {
  const next = nextCronTime(cron, tz, from);
  if (next === null || tz === "UTC") return next;
  const wall = wallClock(tz, next);
  const isSkipped = nextCronTime(cron, "UTC", wall - 1) !== wall;
  const minute = from - (from % MINUTE);
  const isAfterGap = wall - next === wallClock(tz, minute) - minute;
  return isSkipped && isAfterGap ? nextCronTime(cron, tz, next) : next;
};

/** When the next ping is expected after one at `from`. */
export const nextExpected = (schedule: Schedule, from: number): number =>
  "every" in schedule
    ? from + schedule.every * SECOND
    : (nextCronRun(schedule.cron, schedule.tz, from + EARLY) ?? Number.MAX_SAFE_INTEGER);

/** What is wrong with a cron expression and its time zone; fields of other types are not looked at. */
export const cronProblems = ({ cron, tz }: Record<string, unknown>): FieldError[] => {
  const problem = typeof cron === "string" ? cronProblem(cron.trim()) : null;
  return [
    ...(problem === null ? [] : [problem]),
    ...(typeof tz === "string" && !isTimeZone(tz)
      ? [{ path: "tz", message: "tz: expected a time zone such as Europe/Berlin" }]
      : []),
  ];
};
