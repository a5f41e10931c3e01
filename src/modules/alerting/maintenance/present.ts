import { type Static, Type } from "@sinclair/typebox";
import type { Interval } from "../../../lib/intervals";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
} from "../../../server/answers";
import { SCHEDULE_KINDS, type WindowSchedule } from "../../../shared/outages/maintenance";
import type { WindowRow } from "./running";
import { next, occurrence } from "./schedule/schedule";

const dayOrLast = (description: string, most: number) =>
  optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: most }), Type.Literal("last")], {
      description,
      examples: ["last"],
    }),
  );

const Schedule = object({
  kind: oneOf("When it is; each kind has its own fields.", SCHEDULE_KINDS, "weekly"),
  from: optional(time("Of `once` and `open`: the beginning.")),
  to: optional(time("Of `once`: the end.", "2026-01-15T13:20:00.000Z")),
  days: optional(list(integer("A weekday, 1 for Monday to 7 for Sunday.", 7), "Of `weekly`: the weekdays.")),
  weeks: optional(integer("Of `weekly`: the interval in weeks.", 1)),
  anchor: optional(text("Of `weekly`: a date in a week with the window.", "2026-01-01")),
  day: dayOrLast("Of `monthly`: the day.", 31),
  nth: dayOrLast("Of `monthly`: which one of the days `weekday`.", 4),
  weekday: optional(integer("Of `monthly`, with `nth`: 1 for Monday to 7 for Sunday.", 7)),
  at: optional(text("When it begins, HH:MM.", "03:30")),
  minutes: optional(integer("How many minutes it lasts.", 60)),
  cron: optional(text("Of `cron`: when it begins.", "30 3 * * 7")),
  zone: optional(text("The time zone of its beginning.", "Europe/Berlin")),
});

export const Occurrence = object({ from: time("Its beginning."), to: time("Its end.", "2026-01-15T13:20:00.000Z") });

/** The fields of a window that an exported file has, too. */
export const windowFields = {
  title: text("Its title; may be empty.", "Database upgrade"),
  all: boolean("Whether it is about all monitors and servers of the team.", false),
  monitors: list(integer("A monitor's id.", 3), "The monitors that it is about."),
  agents: list(integer("A server's id.", 5), "The servers that it is about."),
  tags: list(text("A tag, as its name or as `name:value`.", "shop"), "It is about everything with one of these."),
  schedule: Schedule,
  counted: boolean("Whether outages in it count in uptimes.", false),
};

export const MaintenanceWindow = component("MaintenanceWindow", {
  id: id("The window's id.", 2),
  ...windowFields,
  current: nullable(Occurrence, null),
  next: nullable(Occurrence, null),
  over_at: nullable(time("From when it does not come any more; null while it recurs."), null),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
});

const presentSchedule = (schedule: WindowSchedule): Static<typeof Schedule> => {
  if (schedule.kind === "once") return { ...schedule, from: isoTime(schedule.from), to: isoTime(schedule.to) };
  if (schedule.kind === "open") return { ...schedule, from: isoTime(schedule.from) };
  if (schedule.kind === "weekly") return { ...schedule, days: [...schedule.days] };
  if (schedule.kind === "cron") return schedule;
  const { day, ...rest } = schedule;
  return typeof day === "object" ? { ...rest, ...day } : { ...rest, day };
};

/** The fields of a window in an exported file. */
export const presentWindowFields = ({
  title,
  targets,
  schedule,
  counted,
}: Pick<WindowRow, "title" | "targets" | "schedule" | "counted">) => ({
  ...{ title, ...targets, schedule: presentSchedule(schedule), counted },
});

export const presentOccurrence = ({ from, to }: Interval) => ({ from: isoTime(from), to: isoTime(to) });

const presentOrNull = (found: Interval | null) => found && presentOccurrence(found);

export const presentWindow = (row: WindowRow, now: number): Static<typeof MaintenanceWindow> => ({
  id: row.id,
  ...presentWindowFields(row),
  current: presentOrNull(occurrence(row, now)),
  next: presentOrNull(next(row, now)),
  over_at: isoTimeOrNull(row.overAt),
  created_at: isoTime(row.createdAt),
  updated_at: isoTime(row.updatedAt),
});
