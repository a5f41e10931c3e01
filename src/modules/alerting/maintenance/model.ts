import { type Static, t } from "elysia";
import { validation } from "../../../core/errors";
import { field, oneOf, whole } from "../../../server/schema";
import type { Weekday } from "../../../shared/alert-policy";
import {
  SCHEDULE_KINDS,
  WINDOW_LIMITS,
  type WindowSchedule,
  type WindowTargets,
} from "../../../shared/outages/maintenance";
import { TAG_LIMITS } from "../../../shared/tags";
import { scheduleProblems } from "./schedule/problems";

const TIME = t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" });
const weekday = whole(1, 7);
const nthOrLast = (most: number, error: string) =>
  t.Union([t.Integer({ minimum: 1, maximum: most }), t.Literal("last")], { error });

const sentSchedule = t.Object({
  kind: field(
    oneOf(SCHEDULE_KINDS),
    "`once` from a time to another; `weekly`, `monthly` and `cron` again and again, at a wall time of a zone; `open` until it is ended by a call, at most 7 days.",
    "weekly",
  ),
  from: t.Optional(field(TIME, "Of `once` and `open`: the beginning.")),
  to: t.Optional(field(TIME, "Of `once`: the end.")),
  days: t.Optional(
    field(
      t.Array(weekday, { maxItems: 7, error: "expected a list of weekdays, 1 for Monday to 7 for Sunday" }),
      "Of `weekly`: the weekdays, 1 for Monday to 7 for Sunday.",
      [7],
    ),
  ),
  weeks: t.Optional(
    field(
      whole(1, WINDOW_LIMITS.weeks),
      "Of `weekly`: the interval in weeks, counted from the week of `anchor`; 1 by default.",
    ),
  ),
  anchor: t.Optional(
    field(
      t.String({ maxLength: 10, error: "expected a date, YYYY-MM-DD" }),
      "Of `weekly`: a date, YYYY-MM-DD, in a week with the window; needed where `weeks` is more than 1.",
    ),
  ),
  day: t.Optional(
    field(
      nthOrLast(31, "expected a day from 1 to 31, or last"),
      "Of `monthly`: the day, 1 to 31 or `last`. Months without it have no window.",
    ),
  ),
  nth: t.Optional(
    field(
      nthOrLast(4, "expected 1 to 4, or last"),
      "Of `monthly`, in place of `day`: which one of the month's days `weekday`, 1 to 4 or `last`.",
    ),
  ),
  weekday: t.Optional(field(weekday, "Of `monthly`, together with `nth`: 1 for Monday to 7 for Sunday.")),
  at: t.Optional(
    field(
      t.String({ maxLength: 5, pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", error: "expected a time such as 03:30" }),
      "Of `weekly` and `monthly`: when it begins, HH:MM. If the clock skips it, it begins after the gap; of two equal times, at the first.",
      "03:30",
    ),
  ),
  minutes: t.Optional(
    field(
      whole(1, WINDOW_LIMITS.minutes, " minutes"),
      "How many minutes it lasts, at most 7 days, also where the clock changes.",
      60,
    ),
  ),
  cron: t.Optional(
    field(
      t.String({ maxLength: 200, error: "expected a cron expression" }),
      "Of `cron`: its five fields say when it begins, at most once an hour.",
    ),
  ),
  zone: t.Optional(
    field(
      t.String({ maxLength: 64, error: "expected the IANA name of a time zone, such as Europe/Berlin" }),
      "The time zone of its beginning; your own by default.",
      "Europe/Berlin",
    ),
  ),
});
type SentSchedule = Static<typeof sentSchedule>;

const ids = (what: string) =>
  t.Optional(
    field(
      t.Array(whole(1, Number.MAX_SAFE_INTEGER), {
        maxItems: WINDOW_LIMITS.targets,
        error: `expected a list of at most ${WINDOW_LIMITS.targets} ids`,
      }),
      `The ids of ${what} that it is about.`,
    ),
  );

const targetFields = {
  all: t.Optional(
    field(
      t.Boolean({ error: "expected true or false" }),
      "True for all monitors and servers of the team, also later ones.",
    ),
  ),
  monitors: ids("monitors"),
  agents: ids("servers"),
  tags: t.Optional(
    field(
      t.Array(t.String({ minLength: 1, maxLength: TAG_LIMITS.filter }), {
        maxItems: TAG_LIMITS.perTarget,
        error: `expected at most ${TAG_LIMITS.perTarget} tags, each as its name or as name:value`,
      }),
      "It is about everything with one of these tags, each as its name or as `name:value`.",
      ["shop"],
    ),
  ),
};

const titleField = t.String({
  minLength: 1,
  maxLength: WINDOW_LIMITS.title,
  error: `expected 1 to ${WINDOW_LIMITS.title} characters`,
});

const countedField = t.Optional(
  field(
    t.Boolean({ error: "expected true or false" }),
    "Whether outages in it count in uptimes; they do not by default.",
  ),
);

const EXAMPLE = { kind: "weekly", days: [7], at: "03:30", minutes: 60, zone: "Europe/Berlin" };

export const windowModel = t.Object({
  title: field(titleField, "Its title.", "Database upgrade"),
  ...targetFields,
  schedule: field(sentSchedule, "When it is.", EXAMPLE),
  counted: countedField,
});
export type WindowBody = Static<typeof windowModel>;

export const previewModel = t.Object({ schedule: field(sentSchedule, "When it would be.", EXAMPLE) });

export const startModel = t.Object({
  minutes: field(
    whole(1, WINDOW_LIMITS.started, " minutes"),
    `How many minutes it lasts unless it is ended before, at most ${WINDOW_LIMITS.started}.`,
    20,
  ),
  ...targetFields,
  title: t.Optional(field(titleField, "Its title.", "Deploy 1.2.3")),
});
export type StartBody = Static<typeof startModel>;

/** @throws {AppError} validation when nothing is chosen */
export const parseTargets = (body: Pick<WindowBody, "all" | "monitors" | "agents" | "tags">): WindowTargets => {
  const { all = false, monitors = [], agents = [], tags = [] } = body;
  const targets = { all, monitors: [...new Set(monitors)], agents: [...new Set(agents)], tags: [...new Set(tags)] };
  if (!all && monitors.length + agents.length + tags.length === 0)
    throw validation([{ path: "monitors", message: "monitors: expected monitors, agents or tags, or all: true" }]);
  return targets;
};

/** The fields that each kind needs. */
const NEEDED = {
  once: ["from", "to"],
  open: ["from"],
  weekly: ["days", "at", "minutes"],
  monthly: ["at", "minutes"],
  cron: ["cron", "minutes"],
} as const satisfies Record<WindowSchedule["kind"], (keyof SentSchedule)[]>;

const scheduleOf = (sent: SentSchedule, zone: string): WindowSchedule | string => {
  const { kind, weeks = 1, anchor, day, nth, weekday } = sent;
  const missing = NEEDED[kind].find((name) => sent[name] === undefined);
  if (missing) return missing;
  const times = { at: sent.at ?? "", minutes: sent.minutes ?? 0, zone };
  switch (kind) {
    case "once":
      return { kind, from: Date.parse(sent.from ?? ""), to: Date.parse(sent.to ?? "") };
    case "open":
      return { kind, from: Date.parse(sent.from ?? "") };
    case "cron":
      return { kind, cron: sent.cron ?? "", minutes: times.minutes, zone };
    case "weekly":
      if (weeks > 1 && anchor === undefined) return "anchor";
      return { kind, days: (sent.days ?? []) as Weekday[], weeks, anchor: anchor ?? "2026-01-01", ...times };
    case "monthly":
      if (day === undefined && nth === undefined) return "day";
      if (nth !== undefined && weekday === undefined) return "weekday";
      return {
        ...{ kind, ...times },
        day: day ?? { nth: nth as 1 | 2 | 3 | 4 | "last", weekday: weekday as Weekday },
      };
  }
};

/** The schedule of a request. `zone` is the user's. @throws {AppError} validation */
export const parseSchedule = (sent: SentSchedule, zone: string): WindowSchedule => {
  const schedule = scheduleOf(sent, sent.zone ?? zone);
  if (typeof schedule === "string")
    throw validation([{ path: `schedule.${schedule}`, message: `schedule.${schedule}: is missing` }]);
  const problems = scheduleProblems(schedule).map(({ path, message, ...problem }) => ({
    ...{ ...problem, path: `schedule.${path}`, message: `schedule.${message}` },
  }));
  if (problems.length > 0) throw validation(problems);
  return schedule;
};
