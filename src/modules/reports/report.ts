/** A report: the figures of a period for some monitors and servers. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../core/deps";
import { type Belonging, readBelongings, type Viewer } from "../../db/owner";
import { type Interval, lengthOf, mergeIntervals, subtractIntervals } from "../../lib/intervals";
import { isoTime } from "../../lib/time";
import {
  belongingFields,
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
} from "../../server/answers";
import { SECOND } from "../../shared/limits";
import { TARGET_TYPES } from "../../shared/notifications";
import { spanBefore } from "../../shared/reports/period";
import { readLeftOut } from "../alerting/maintenance/running";
import { type Availability, uptimeOf } from "../alerting/outages/availability";
import { readLongest } from "../alerting/outages/longest";
import { Outage } from "../alerting/outages/service";
import { availabilityFields, presentAvailability } from "../alerting/outages/windows";
import { quantilesOf } from "../monitors/history/series/series";
import type { Sums } from "../monitors/history/sums";
import { readObjectives } from "../monitors/objectives/service";
import { type Figures, readFigures, stepsOf, type TargetFigures } from "./figures";
import { type Scope, USUALLY_LISTED } from "./model";
import { idsOf, type ReadPageTargets, readTargets, type Target } from "./targets";
import { readUpcoming, Upcoming } from "./upcoming";

/** Outages in one report, the longest ones. */
const MAX_OUTAGES = 10;

const Budget = object({
  percent: number("The target in percent.", 99.9),
  met: boolean("Whether the time down is within it.", true),
  allowed_seconds: integer("How long it may be down in the watched time; of several targets, on average.", 2592),
  left_seconds: integer("What is left of that; negative where it was down for longer.", 720),
});

const figureFields = {
  ...availabilityFields,
  target: nullable(Budget),
  worst_day: nullable(
    object({
      date: text("The date.", "2026-01-16"),
      down_seconds: integer("Watched time of it during which it was down; of several targets added up.", 3600),
    }),
  ),
  p50: nullable(number("Median of the response times in milliseconds, within 5 %; null without any.", 82.6)),
  p95: nullable(number("95 % of the response times are at most this long, within 5 %.", 110.3)),
};

const Step = object({
  uptime: nullable(number("As for the whole period.", 99.3)),
  down_seconds: integer("As for the whole period.", 600),
});

const beforeFields = {
  uptime: availabilityFields.uptime,
  down_seconds: availabilityFields.down_seconds,
  outages: availabilityFields.outages,
};

export const ReportRow = component("ReportRow", {
  target_type: oneOf("The kind of target; an agent is a server.", TARGET_TYPES),
  target_id: id("Its id.", 3),
  target_name: text("Its name.", "Payments API"),
  ...belongingFields,
  ...figureFields,
  days: list(Step, "What is in its strip, in the order of `days` of the report."),
  peaks: nullable(
    object({
      cpu: nullable(number("The highest CPU usage in percent.", 93.5)),
      memory: nullable(number("The highest average of an hour of the memory in use, in percent.", 71)),
      disk: nullable(number("The highest average of an hour of the disk space in use, in percent.", 64)),
    }),
  ),
  traffic: nullable(object({ rx: integer("Bytes received.", 420e9), tx: integer("Bytes sent.", 80e9) })),
  before: object(beforeFields),
});

const ReportOutage = component("ReportOutage", {
  ...Outage.properties,
  seconds: integer("How long it lasted within the period.", 9780),
  explains: integer("How many other outages of the report it explains.", 0),
});

/** How long all targets together were in maintenance that uptimes leave out, in seconds. */
const readMaintenanceSeconds = async (
  deps: Pick<Deps, "db">,
  targets: readonly Target[],
  span: Interval,
): Promise<number> => {
  const ids = idsOf(targets);
  const length = Math.max(0, span.to - span.from);
  let sum = 0;
  for (const type of TARGET_TYPES)
    for (const times of (await readLeftOut(deps, { type, ids: ids[type] }, span)).values())
      sum += length - lengthOf(subtractIntervals(span, mergeIntervals(times)));
  return Math.round(sum / SECOND);
};

export const Report = component("Report", {
  from: time("The beginning of the period.", "2026-01-01T00:00:00.000Z"),
  to: time("Its end.", "2026-02-01T00:00:00.000Z"),
  zone: text("The time zone of its days.", "Europe/Berlin"),
  now: time("The time of the hub."),
  scope: text("What it is about.", "tag:production"),
  before: object({
    from: time("The beginning of the period before, which it is compared with.", "2025-12-01T00:00:00.000Z"),
    to: time("Its end.", "2026-01-01T00:00:00.000Z"),
  }),
  targets: object({
    total: integer("How many monitors and servers there are in the scope.", 5),
    counted: integer("How many of them the figures are about: at most 1,000 monitors and 1,000 servers.", 5),
    watched: integer("How many of those were watched in the period.", 5),
  }),
  maintenance_seconds: integer("Maintenance that uptimes leave out: of all targets together, in seconds.", 3600),
  totals: object({
    ...figureFields,
    before: object({ ...beforeFields, p95: nullable(number("As `p95`, of the period before.", 98.5)) }),
  }),
  days: list(
    object({
      date: text("The date, or the first one of a week.", "2026-01-16"),
      from: time("When it begins in the time zone, or where the period begins.", "2026-01-16T00:00:00.000Z"),
      to: time("When it ends.", "2026-01-17T00:00:00.000Z"),
    }),
    "What the strips of targets are divided into: days, or weeks of a period of more than 93 days.",
  ),
  rows: list(ReportRow, "The targets, those with the lowest uptime first."),
  next: nullable(integer("`offset` of the next targets; null after the last one.", 100), null),
  outages: list(
    ReportOutage,
    `The outages during which a target was down, the longest first, at most ${MAX_OUTAGES}. Those that another one explains are left out.`,
  ),
  upcoming: list(Upcoming, "What ends soon, as of now; the soonest first, at most 20."),
});
export type Report = Static<typeof Report>;

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / SECOND);

/** The budget of a target. The availability is the sum of this number of targets. */
const budgetOf = (percent: number, { watched, down }: Availability, targets: number): Static<typeof Budget> => {
  const allowed = (watched * (100 - percent)) / 100;
  const left = allowed - down;
  // A millisecond: the product has an error of binary fractions.
  return {
    percent,
    met: left > -1,
    allowed_seconds: toSeconds(allowed / Math.max(1, targets)),
    left_seconds: toSeconds(left / Math.max(1, targets)),
  };
};

const quantiles = (sums: Sums | null) => {
  const { p50, p95 } = sums ? quantilesOf(sums) : { p50: null, p95: null };
  return { p50, p95 };
};

const presentFigures = ({ whole, worst, sums }: Figures, target: number | undefined, targets = 1) => ({
  ...presentAvailability(whole),
  target: target === undefined ? null : budgetOf(target, whole, targets),
  worst_day: worst && { date: worst.date, down_seconds: toSeconds(worst.down) },
  ...quantiles(sums),
});

const presentBefore = (before: Availability) => {
  const { uptime, down_seconds, outages } = presentAvailability(before);
  return { uptime, down_seconds, outages };
};

const presentRow = (
  { target: of, ...figures }: TargetFigures,
  target: number | undefined,
  belonging: Belonging,
): Static<typeof ReportRow> => ({
  ...{ target_type: of.type, target_id: of.id, target_name: of.name },
  ...belonging,
  ...presentFigures(figures, target),
  days: figures.steps.map((step) => ({ uptime: uptimeOf(step), down_seconds: toSeconds(step.down) })),
  peaks: figures.peaks,
  traffic: figures.traffic,
  before: presentBefore(figures.before),
});

export type Wanted = {
  span: Interval;
  zone: string;
  scope: { text: string; parsed: Scope };
  target?: number | undefined;
  limit?: number;
  offset?: number;
};

/**
 * The report of a period for what a viewer sees of a scope.
 * @throws {AppError} not_found for one target that does not exist, is deleted or is another user's
 */
export const readReport = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  viewer: Viewer,
  { span, zone, scope, target, limit = USUALLY_LISTED, offset = 0 }: Wanted,
  readPageTargets: ReadPageTargets,
): Promise<Report> => {
  const now = deps.clock.now();
  const targets = await readTargets(deps, viewer, scope.parsed, readPageTargets);
  const before = spanBefore(span, zone, now);
  const { days, rows, total, responsesBefore } = await readFigures(deps, targets, { span, before, zone });
  const shown = rows.slice(offset, offset + limit);
  const belonging = await readBelongings(
    deps,
    viewer,
    shown.map((row) => row.target),
  );
  const objectives = await readObjectives(deps, idsOf(shown.map(({ target }) => target)).monitor);
  const objectiveOf = ({ type, id }: Target) => (type === "monitor" ? objectives.get(id)?.target : undefined);
  const watched = rows.filter(({ whole }) => whole.watched > 0).length;
  const longest = await readLongest(deps, idsOf(targets.all), span, MAX_OUTAGES);
  const present = ({ from, to }: Interval) => ({ from: isoTime(from), to: isoTime(to) });
  return {
    ...present(span),
    zone,
    now: isoTime(now),
    scope: scope.text,
    before: present(before),
    targets: { total: targets.total, counted: targets.all.length, watched },
    maintenance_seconds: await readMaintenanceSeconds(deps, targets.all, { ...span, to: Math.min(span.to, now) }),
    totals: {
      ...presentFigures(total, target, watched),
      before: { ...presentBefore(total.before), p95: quantiles(responsesBefore).p95 },
    },
    days: stepsOf(days).map(({ date, ...step }) => ({ date, ...present(step) })),
    rows: shown.map((row) => presentRow(row, target ?? objectiveOf(row.target), belonging(row.target))),
    next: offset + limit < rows.length ? offset + limit : null,
    outages: longest.map(({ outage, ...more }) => ({ ...outage, ...more })),
    upcoming: await readUpcoming(deps, targets, zone),
  };
};
