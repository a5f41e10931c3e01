import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkDays, checkHours, checks } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { component, integer, nullable, number } from "../../../server/answers";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import type { Range } from "../model";

/** One point of a chart. */
export const SeriesPoint = component("SeriesPoint", {
  t: integer("The start of its span, in epoch milliseconds.", 1_768_479_600_000),
  up: integer("Checks that were up.", 5),
  down: integer("Checks that were down.", 0),
  avg: nullable(number("Average response time in milliseconds; null without a response.", 84.2)),
  min: nullable(number("Shortest response time.", 71.5)),
  max: nullable(number("Longest response time.", 120.9)),
});
export type Point = Static<typeof SeriesPoint>;

/** The length of each range, the length of its points (at most 400), and the source of their sums. */
const RANGES: Record<Range, { span: number; step: number; from: keyof typeof SOURCES }> = {
  "24h": { span: DAY, step: 5 * MINUTE, from: "checks" },
  "7d": { span: 7 * DAY, step: HOUR, from: "hours" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "hours" },
  "90d": { span: 90 * DAY, step: 6 * HOUR, from: "hours" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
};

/** The chart of 24 hours has a point for each minute while all of its checks are younger than this. */
const FINE_SPAN = 6 * HOUR;

const answered = sql`case when ${checks.responseTime} is null then 0 else 1 end`;

/** Sources of sums: `bucket` is the indexed column, `length` the length of a bucket, `at` the time of a row. */
const SOURCES = {
  checks: {
    table: checks,
    bucket: checks.hour,
    length: HOUR,
    at: sql`${checks.checkedAt}`,
    up: sql`case when ${checks.up} then 1 else 0 end`,
    down: sql`case when ${checks.up} then 0 else 1 end`,
    answered,
    totalTime: checks.responseTime,
    minTime: checks.responseTime,
    maxTime: checks.responseTime,
  },
  hours: {
    ...checkHours,
    table: checkHours,
    length: HOUR,
    at: sql`cast(${checkHours.bucket} as bigint) * ${sql.raw(String(HOUR))}`,
  },
  days: {
    ...checkDays,
    table: checkDays,
    length: DAY,
    at: sql`cast(${checkDays.bucket} as bigint) * ${sql.raw(String(DAY))}`,
  },
};

/** Whether a monitor has a check that is older than FINE_SPAN and younger than `since`. */
const hasOlderCheck = async (db: Deps["db"], monitorId: number, since: number, now: number): Promise<boolean> => {
  const end = now - FINE_SPAN;
  const found = await db
    .select({ at: checks.checkedAt })
    .from(checks)
    .where(
      and(
        isOneOf(checks.hour, bucketsSince(since, end, HOUR)),
        eq(checks.monitorId, monitorId),
        gte(checks.checkedAt, since),
        lt(checks.checkedAt, end),
      ),
    )
    .limit(1);
  return found.length > 0;
};

/**
 * Reads the points of a chart, oldest first. Spans without a check have no point. In the range of 24 hours, a monitor
 * that was first checked within the last six hours has a point for each minute.
 */
export const seriesOf = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  monitorId: number,
  range: Range,
): Promise<Point[]> => {
  const { span, step: usualStep, from } = RANGES[range];
  const now = clock.now();
  const fine = from === "checks" && !(await hasOlderCheck(db, monitorId, now - span, now));
  const step = fine ? MINUTE : usualStep;
  const since = (Math.floor((now - span) / step) + 1) * step;
  const source = SOURCES[from];
  const total = (value: SQL | { getSQL(): SQL }) => sql`coalesce(sum(${value}), 0)`.mapWith(Number);
  const known = (value: SQL) => value.mapWith((time: unknown) => (time === null ? null : Number(time)));
  const start = sql<number>`${source.at} - ${source.at} % ${sql.raw(String(step))}`.mapWith(Number);
  const rows = await db
    .select({
      t: start,
      up: total(source.up),
      down: total(source.down),
      answered: total(source.answered),
      time: total(source.totalTime),
      min: known(sql`min(${source.minTime})`),
      max: known(sql`max(${source.maxTime})`),
    })
    .from(source.table)
    .where(
      and(
        isOneOf(source.bucket, bucketsSince(since, now, source.length)),
        eq(source.table.monitorId, monitorId),
        gte(source.at, since),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`));
  return rows.map(({ t, up, down, answered, time, min, max }) => {
    const avg = answered === 0 ? null : Math.round((time / answered) * 10) / 10;
    return { t, up, down, avg, min: min as number | null, max: max as number | null };
  });
};
