/** Details of an event and its outage, about the part of a server and the moment: the fields of answers. */
import { type Static, Type } from "@sinclair/typebox";
import {
  component,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  phases,
  text,
  time,
} from "../../server/answers";
import type { AlertFacts } from "../../shared/notifications";
import { REPORT_INTERVALS } from "../../shared/reports/schedule";

const processes = (meaning: string, value: number) =>
  list(
    object({ name: text("The program's name.", "ffmpeg"), value: number(meaning, value) }),
    "The programs that used the most, the most first.",
  );

const Facts = component("AlertFacts", {
  processes: optional(
    Type.Object(
      { cpu: processes("Percent of one core.", 61), memory: processes("Bytes.", 838_860_800) },
      { description: "Of an outage of CPU, load, memory or swap." },
    ),
  ),
  state: optional(text("The state of a container, a unit or an array, as it was reported.", "exited")),
  machines: optional(
    list(
      text("Its name, with its address where both have one name.", "web-1"),
      "The two machines that report with one key.",
    ),
  ),
  restarted_at: optional(time("When a server that reports again was restarted, if it was since its last report.")),
  clock_offset: optional(
    integer(
      "Of a server that is offline or reports again: by how many seconds its clock is ahead of the hub's, negative when it is behind; absent while they differ by at most 15 seconds.",
      3600,
    ),
  ),
  exhausted_at: optional(time("When the quota is used up or the disk is full at the present rate.")),
  ends_on: optional(text("The date on which the contract ends.", "2026-01-29")),
  phases: optional(
    Type.Object(phases.properties, {
      description:
        "Of an outage of a monitor, `down` or `slow`: milliseconds of each part of the request with which it began, up to the failure; with redirects, their sums. Absent where none were measured.",
    }),
  ),
});

/** The report that an event is about. */
export const reportField = Type.Union(
  [
    object({
      schedule_id: integer("The id of the schedule that sends it.", 2),
      every: oneOf("How often it is sent.", REPORT_INTERVALS),
      from: time("The beginning of its period."),
      to: time("Its end."),
      zone: text("The time zone of its days.", "Europe/Berlin"),
      scope: text("What it is about, as of a report.", "tag:production"),
      target: nullable(number("The target for the uptime in percent.", 99.9)),
    }),
    Type.Null(),
  ],
  { description: "The report that was due; null for other kinds.", examples: [null] },
);

/** The fields of an outage that began because a figure crossed its threshold. */
export const figureFields = {
  figure: nullable(
    number("The figure that crossed its threshold: percent, °C, load per core, or days; null for other kinds.", 96.5),
    null,
  ),
  threshold: nullable(number("The threshold in the same; null for other kinds.", 90), null),
  mount: nullable(text("The mount point of the full disk; null for other kinds.", "/var"), null),
};

/** The fields that distinguish events or outages of one kind. */
export const partFields = {
  subject: nullable(
    text("The container, unit, array, mount point or sensor that it is about; null where there is only one.", "nginx"),
    null,
  ),
  facts: Type.Union([Facts, Type.Null()], {
    description: "What was known of the target when it happened; null without any.",
    examples: [null],
  }),
};

type Part = { subject: string; facts: AlertFacts | null };

/** The part and the facts of an event or an outage as the API answers them. */
export const presentPart = ({
  subject,
  facts,
}: Part): { subject: string | null; facts: Static<typeof Facts> | null } => {
  const { threshold_id: _, report: __, ...publicFacts } = facts ?? {};
  return { subject: subject || null, facts: Object.keys(publicFacts).length > 0 ? publicFacts : null };
};
