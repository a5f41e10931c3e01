import { type Static, t } from "elysia";
import { validation } from "../../core/errors";
import type { Interval } from "../../lib/intervals";
import { field, oneOf, parseSpan, parseZone, timeField, whole, zoneField } from "../../server/schema";
import { MAX_RANGE_DAYS } from "../../shared/limits";
import type { TargetType } from "../../shared/notifications";
import { PERIODS, type Period, spanOfPeriod } from "../../shared/reports/period";
import { MAX_REPORT_CHANNELS, REPORT_INTERVALS } from "../../shared/reports/schedule";
import { parseTagFilter, type WantedTag } from "../tags/model";

const SCOPE_ERROR = "expected all, page, tag: and the name of a tag, or monitor: or agent: and an id";

const scopeField = field(
  t.String({
    maxLength: 120,
    pattern: "^(all|page|tag:[^\\u0000-\\u001f]+|(monitor|agent):[1-9][0-9]{0,14})$",
    error: SCOPE_ERROR,
  }),
  "What it is about: `all`; `page`, what your status page shows; `tag:NAME` or `tag:NAME:VALUE`; `monitor:` or `agent:` and an id. `all` by default.",
  "tag:production",
);

const TARGET_ERROR = "expected a number from 1 to 100";
const targetField = field(
  t.Numeric({ minimum: 1, maximum: 100, error: TARGET_ERROR }),
  "The target for the uptime in percent. Without it, the objective of each monitor counts.",
  99.9,
);

const periodField = field(
  oneOf(PERIODS),
  "A period up to the time of the request: the last month or this one, the last week from Monday on, or the last seven days.",
);

const periodFields = {
  from: timeField(
    "The beginning, together with `to`. The last month of the time zone by default.",
    "2026-01-01T00:00:00Z",
  ),
  to: timeField("The end, at most 400 days later.", "2026-02-01T00:00:00Z"),
  period: t.Optional(periodField),
  zone: zoneField("The time zone of its days and months; UTC by default."),
};

/** Targets in one answer, at most and usually. */
export const [MAX_LISTED, USUALLY_LISTED] = [500, 100];

export const reportQuery = t.Object({
  ...periodFields,
  scope: t.Optional(scopeField),
  target: t.Optional(targetField),
  limit: t.Optional(
    field(whole(1, MAX_LISTED), `How many targets are listed, 1 to ${MAX_LISTED}; ${USUALLY_LISTED} by default.`, 100),
  ),
  offset: t.Optional(field(whole(0, 100_000), "How many are left out before them.", 0)),
});

export const exportReportQuery = t.Object({
  ...periodFields,
  scope: t.Optional(scopeField),
  target: t.Optional(targetField),
});

export const linkModel = t.Object({
  from: timeField("The beginning of a fixed period, together with `to`."),
  to: timeField("The end, at most 400 days later."),
  zone: zoneField("The time zone of its days and months; UTC by default."),
  name: t.Optional(
    field(
      t.String({ maxLength: 100, error: "expected a text of at most 100 characters" }),
      "The title of its page, at most 100 characters.",
      "Acme",
    ),
  ),
  period: t.Optional(field(periodField, "A period that moves with the time, or else `from` and `to`.", "last_month")),
  scope: t.Optional(scopeField),
  target: t.Optional(
    field(
      t.Union([t.Number({ minimum: 1, maximum: 100 }), t.Null()], { error: TARGET_ERROR }),
      "The target for the uptime in percent; null: the objective of each monitor counts.",
      99.9,
    ),
  ),
  details: t.Optional(
    field(t.Boolean(), "Whether it shows why something was down, with addresses and notes; false by default.", false),
  ),
});
export type LinkBody = Static<typeof linkModel>;

const flag = (description: string) =>
  t.Optional(field(t.Boolean({ error: "expected true or false" }), description, false));

export const scheduleModel = t.Object({
  every: field(
    oneOf(REPORT_INTERVALS),
    "`week`: each Monday, about the week before; `month`: on the 1st, about the month before.",
    "month",
  ),
  hour: field(whole(0, 23), "The hour at which it is sent, in `zone`.", 8),
  zone: zoneField("The time zone of the hour, and of the days of the report; your own by default, else UTC."),
  scope: t.Optional(scopeField),
  target: linkModel.properties.target,
  channels: field(
    t.Array(whole(0, Number.MAX_SAFE_INTEGER), {
      minItems: 1,
      maxItems: MAX_REPORT_CHANNELS,
      error: `expected a list of 1 to ${MAX_REPORT_CHANNELS} channel ids`,
    }),
    "Ids of your channels. Those that were deleted or are switched off are skipped.",
    [2],
  ),
  share: flag(
    "Whether its messages have a link that needs no session. It stops working when this or the schedule changes.",
  ),
  details: flag("Whether that link shows why something was down, with addresses and notes."),
});
export type ScheduleBody = Static<typeof scheduleModel>;

/** The selection of targets. */
export type Scope =
  | { kind: "all" | "page" }
  | { kind: "tag"; tag: WantedTag }
  | { kind: "target"; type: TargetType; id: number };

/** @throws {AppError} validation */
export const parseScope = (text: string): Scope => {
  if (text === "all" || text === "page") return { kind: text };
  const [first = "", ...rest] = text.split(":");
  if (first !== "tag") return { kind: "target", type: first as TargetType, id: Number(rest[0]) };
  const [tag] = parseTagFilter([rest.join(":")]);
  if (!tag?.name) throw validation([{ path: "scope", message: `scope: ${SCOPE_ERROR}` }]);
  return { kind: "tag", tag };
};

type SentPeriod = { from?: string; to?: string; period?: Period; zone?: string };

/** The span and the time zone of a report in a request. @throws {AppError} validation */
export const parsePeriod = (
  { period = "last_month", zone: sentZone = "UTC", ...sent }: SentPeriod,
  now: number,
): { span: Interval; zone: string } => {
  const zone = parseZone(sentZone);
  const { from, to } = parseSpan(sent, MAX_RANGE_DAYS);
  if (from !== null && to !== null) return { span: { from, to }, zone };
  if (from === null && to === null) return { span: spanOfPeriod(period, zone, now), zone };
  const missing = from === null ? "from" : "to";
  throw validation([{ path: missing, message: `${missing}: is missing` }]);
};

export type ReportQuery = Static<typeof reportQuery>;
