import { t } from "elysia";
import { AppError, type FieldError } from "../../../core/errors";
import { boolean, integer, object, optional, text } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { DAY, SECOND } from "../../../shared/limits";
import { CRON_EXPECTED, CRON_LENGTH, cronProblems, type Schedule, ZONE_LENGTH } from "../../heartbeats/schedule";
import { type Config, defineKind } from "./kind";

/** The fields of a heartbeat, under their names in the API: `every`, or `cron` with `tz`. */
export type HeartbeatFields = { every?: number; cron?: string; tz?: string; grace: number; post_only: boolean };

const LONGEST = (366 * DAY) / SECOND;

const EVERY = "Seconds between pings: 60 to 31,622,400. Either this or `cron`.";
const CRON = "When pings are expected: a cron expression of five fields, or a name such as @daily.";
const ZONE = "The time zone of `cron`; UTC by default.";
const GRACE = "Seconds by which a ping may be late, and for which a run may last after its start.";
const POST_ONLY = "Whether pings count only when they are sent by POST, so that link previews send none.";

const problems = ({ every, cron, tz }: Config): FieldError[] => {
  const problem = (path: string, message: string): FieldError => ({ path, message: `${path}: ${message}` });
  if (every === undefined && cron === undefined) return [problem("every", "expected either this or cron")];
  if (every !== undefined && cron !== undefined) return [problem("cron", "expected either this or every, not both")];
  if (every !== undefined && tz !== undefined) return [problem("tz", "expected only with cron")];
  return cronProblems({ cron, tz });
};

/** The schedule of a stored heartbeat. */
export const scheduleOf = ({ every, cron = "", tz = "UTC", grace }: HeartbeatFields): Schedule =>
  every === undefined ? { cron, tz, grace } : { every, grace };

const UNITS: readonly [seconds: number, unit: string][] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

const lengthText = (seconds: number): string => {
  const [length, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, "s"];
  return `${seconds / length} ${unit}`;
};

/** Waits for pings of a job, and is down when none arrives in time. */
export const heartbeat = defineKind<HeartbeatFields>({
  kind: "heartbeat",
  passive: true,
  config: object({
    every: optional(integer(EVERY, 86_400)),
    cron: optional(text(CRON, "0 3 * * *")),
    tz: optional(text(ZONE, "Europe/Berlin")),
    grace: integer(GRACE, 3600),
    post_only: boolean(POST_ONLY, false),
  }),
  sent: t.Object({
    every: t.Optional(field(whole(60, LONGEST, " seconds"), EVERY, 86_400)),
    cron: t.Optional(field(t.String({ maxLength: CRON_LENGTH, error: CRON_EXPECTED }), CRON)),
    tz: t.Optional(field(t.String({ maxLength: ZONE_LENGTH, error: "expected a time zone" }), ZONE)),
    grace: t.Optional(field(whole(1, LONGEST, " seconds"), `${GRACE} 300 by default.`, 3600)),
    post_only: t.Optional(field(t.Boolean({ error: "expected true or false" }), POST_ONLY)),
  }),
  defaults: { grace: 300, post_only: false },
  problems,
  parse: (valid) => {
    const { every, cron, tz, grace, post_only } = valid as Partial<HeartbeatFields>;
    return { every, cron: cron?.trim(), tz: cron === undefined ? undefined : (tz ?? "UTC"), grace, post_only };
  },
  merge: (kept, given) => {
    const { every: _, cron: __, tz: ___, ...rest } = kept;
    // A schedule is sent as a whole.
    return { ...("every" in given || "cron" in given ? rest : kept), ...given };
  },
  target: ({ every, cron, tz }) => (every === undefined ? `${cron} ${tz}` : lengthText(every)),
  host: () => "",
  probe: () => Promise.reject(new AppError("not_checkable")),
});
