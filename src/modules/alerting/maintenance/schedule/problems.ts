/** Errors of the schedule of a window, beyond the types of its fields. */
import type { FieldError } from "../../../../core/errors";
import { cronProblem } from "../../../../lib/time";
import { HOUR, MINUTE } from "../../../../shared/limits";
import type { RecurringSchedule, WindowSchedule } from "../../../../shared/outages/maintenance";
import { isTimeZone } from "../../../../shared/time-zone";
import { LONGEST } from "./schedule";
import { wallStarts } from "./wall-starts";

type Problem = FieldError & { code: string };

const problem = (path: string, code: string, message: string): Problem => ({
  path,
  code,
  message: `${path}: ${message}`,
});

/** Starts that are looked at to find the shortest time between two. */
const STARTS = 1000;

/** The shortest time between two starts, in wall time. */
const shortestPeriod = (schedule: RecurringSchedule): number => {
  let [shortest, last, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const start of wallStarts(schedule, 0)) {
    shortest = Math.min(shortest, start - last);
    last = start;
    if (++count >= STARTS) break;
  }
  return shortest;
};

const isDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
};

const recurringProblems = (schedule: RecurringSchedule): Problem[] => {
  if (!isTimeZone(schedule.zone))
    return [problem("zone", "zone_unknown", "expected a time zone such as Europe/Berlin")];
  if (schedule.kind === "cron") {
    const wrong = cronProblem(schedule.cron);
    if (wrong) return [wrong];
  }
  if (schedule.kind === "weekly" && schedule.days.length === 0)
    return [problem("days", "window_never", "expected at least one day")];
  if (schedule.kind === "weekly" && !isDate(schedule.anchor))
    return [problem("anchor", "date_unknown", "expected a date that exists, YYYY-MM-DD")];
  if (schedule.minutes * MINUTE > LONGEST) return [problem("minutes", "window_too_long", "expected at most 7 days")];
  const period = shortestPeriod(schedule);
  if (period < HOUR) return [problem("cron", "window_too_often", "expected at most one start in an hour")];
  return schedule.minutes * MINUTE >= period
    ? [problem("minutes", "window_overlaps", "expected less than the time until the next start")]
    : [];
};

/** Why a schedule is refused; nothing if it is valid. */
export const scheduleProblems = (schedule: WindowSchedule): Problem[] => {
  if (schedule.kind === "open") return [];
  if (schedule.kind !== "once") return recurringProblems(schedule);
  const { from, to } = schedule;
  if (to <= from) return [problem("to", "window_empty", "expected a time after `from`")];
  return to - from > LONGEST ? [problem("to", "window_too_long", "expected at most 7 days after `from`")] : [];
};
