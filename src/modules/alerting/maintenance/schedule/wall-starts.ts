/** The starts of recurring windows as wall times, which are counted as if the zone were UTC. */
import type { Weekday } from "../../../../shared/alert-policy";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import type { DayOfMonth, RecurringSchedule } from "../../../../shared/outages/maintenance";
import { monthStart, weekStart } from "../../../../shared/reports/period";

const weekdayOf = (day: number): Weekday => (day - weekStart(day) + 1) as Weekday;

const timeOfDay = (at: string): number => {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  return hours * HOUR + minutes * MINUTE;
};

function* weekly(
  { days, weeks, anchor }: Pick<Extract<RecurringSchedule, { kind: "weekly" }>, "days" | "weeks" | "anchor">,
  first: number,
): Generator<number> {
  const anchorWeek = weekStart(Date.parse(anchor) / DAY);
  for (let day = first; ; day++)
    if ((weekStart(day) - anchorWeek) % (7 * weeks) === 0 && days.includes(weekdayOf(day))) yield day;
}

/** The day of a month that begins on the day `start` and has `length` days; null if it has none. */
const dayInMonth = (day: DayOfMonth, start: number, length: number): number | null => {
  if (day === "last") return start + length - 1;
  if (typeof day === "number") return day <= length ? start + day - 1 : null;
  if (day.nth === "last") return start + length - 1 - ((weekdayOf(start + length - 1) - day.weekday + 7) % 7);
  return start + ((day.weekday - weekdayOf(start) + 7) % 7) + 7 * (day.nth - 1);
};

function* monthly({ day }: { day: DayOfMonth }, first: number): Generator<number> {
  for (let month = 0; ; month++) {
    const start = monthStart(first, month);
    const found = dayInMonth(day, start, monthStart(first, month + 1) - start);
    if (found !== null && found >= first) yield found;
  }
}

function* byCron(cron: string, from: number): Generator<number> {
  for (let after = from - 1; ; ) {
    const time = Bun.cron.parse(cron, new Date(after), { tz: "UTC" });
    if (time === null) return;
    after = time.getTime();
    yield after;
  }
}

/** The starts of a schedule from a wall time on, in order. */
export function* wallStarts(schedule: RecurringSchedule, from: number): Generator<number> {
  if (schedule.kind === "cron") {
    yield* byCron(schedule.cron, from);
    return;
  }
  const at = timeOfDay(schedule.at);
  const first = Math.floor(from / DAY);
  for (const day of schedule.kind === "weekly" ? weekly(schedule, first) : monthly(schedule, first))
    if (day * DAY + at >= from) yield day * DAY + at;
}
