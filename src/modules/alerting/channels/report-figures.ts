/** The figures of a report in messages that programs read. */
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import {
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
} from "../../../server/answers";
import { TARGET_TYPES } from "../../../shared/notifications";
import { REPORT_INTERVALS } from "../../../shared/reports/schedule";

const targetFields = {
  target_type: oneOf("The kind of target; an agent is a server.", TARGET_TYPES),
  target_id: id("Its id.", 3),
  target_name: text("Its name.", "Payments API"),
};
const uptime = nullable(number("Percent of the watched time; null without watched time.", 99.93));

const orNull = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Union([object(fields), Type.Null()], { description });

/** A summary of a report: `GET /api/reports` has all of it. Members may be added, and are never renamed or removed. */
export const ReportFigures = component("ReportFigures", {
  schedule_id: id("The schedule that sent it.", 2),
  every: oneOf("How often it is sent.", REPORT_INTERVALS),
  from: time("The beginning of its period.", "2026-01-01T00:00:00.000Z"),
  to: time("Its end.", "2026-02-01T00:00:00.000Z"),
  zone: text("The time zone of its days.", "Europe/Berlin"),
  scope: text("What it is about.", "tag:production"),
  targets: integer("How many monitors and servers it is about.", 5),
  uptime,
  watched_seconds: integer("Watched time of all targets added up.", 13_392_000),
  down_seconds: integer("Watched time during which they were down, added up.", 1260),
  outages: integer("How many outages there were.", 3),
  objective: orNull("The target of the schedule; null without one.", {
    percent: number("The target for the uptime in percent.", 99.9),
    met: boolean("Whether it was met.", true),
    left_seconds: integer("Downtime that was left on average; negative where it was exceeded.", 720),
  }),
  worst_day: orNull("The day with the most downtime; null where nothing was down.", {
    date: text("The date.", "2026-01-16"),
    down_seconds: integer("Watched time of it during which targets were down, added up.", 900),
  }),
  p50: nullable(number("Median of the response times in milliseconds.", 82.6)),
  p95: nullable(number("95 % of the response times are at most this long.", 110.3)),
  lowest: list(
    object({ ...targetFields, uptime, outages: integer("How many outages it had.", 2) }),
    "The targets that were down, those with the lowest uptime first, at most five.",
  ),
  upcoming: list(
    object({
      kind: oneOf("What ends.", ["certificate", "domain", "contract", "traffic", "disk"]),
      ...targetFields,
      at: time("When.", "2026-02-11T00:00:00.000Z"),
    }),
    "What ends soon, the soonest first, at most 20.",
  ),
});
export type ReportFigures = Static<typeof ReportFigures>;
