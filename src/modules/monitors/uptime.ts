import { and, asc, eq, gte, sql } from "drizzle-orm";
import { checkDays, checkHours, checks } from "../../db/schema";
import { isOneOf } from "../../db/values";
import type { Deps } from "../../deps";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import type { Range } from "./model";

type Store = Pick<Deps, "db" | "clock">;
export type Uptimes = Record<"24h" | "7d" | "30d" | "90d", number | null>;
/** One point of a chart. `t` is the start of its span in epoch milliseconds, times are milliseconds. */
export type Point = { t: number; up: number; down: number; avg: number | null; min: number | null; max: number | null };

const share = (up: number, down: number): number | null =>
  up + down === 0 ? null : Math.round((up / (up + down)) * 100_000) / 1000;

/** Buckets that a span touches, the one under way included. */
export const bucketsSince = (since: number, now: number, length: number): number[] => {
  const first = Math.floor(since / length);
  return Array.from({ length: Math.floor(now / length) - first + 1 }, (_, index) => first + index);
};

/** The share of up checks over the last 30 days, by monitor; those without a check are left out. */
export const uptimeOfMonth = async ({ db, clock }: Store, monitorIds?: number[]): Promise<Map<number, number>> => {
  if (monitorIds?.length === 0) return new Map();
  const recent = gte(checkDays.bucket, Math.floor(clock.now() / DAY) - 29);
  const rows = await db
    .select({
      id: checkDays.monitorId,
      up: sql<number>`sum(${checkDays.up})`,
      down: sql<number>`sum(${checkDays.down})`,
    })
    .from(checkDays)
    .where(monitorIds ? and(recent, isOneOf(checkDays.monitorId, monitorIds)) : recent)
    .groupBy(checkDays.monitorId);
  return new Map(rows.map(({ id, up, down }) => [id, share(Number(up), Number(down)) ?? 0]));
};

/** The share of up checks over each span: the first two by hours, the others by days (UTC). */
export const uptimesOf = async ({ db, clock }: Store, monitorId: number): Promise<Uptimes> => {
  const now = clock.now();
  const read = (table: typeof checkHours | typeof checkDays, buckets: number[]) =>
    db
      .select({ bucket: table.bucket, up: table.up, down: table.down })
      .from(table)
      .where(and(isOneOf(table.bucket, buckets), eq(table.monitorId, monitorId)));
  const hours = await read(checkHours, bucketsSince(now - 7 * DAY + HOUR, now, HOUR));
  const days = await read(checkDays, bucketsSince(now - 89 * DAY, now, DAY));
  const over = (rows: typeof days, first: number) => {
    const within = rows.filter(({ bucket }) => bucket >= first);
    return share(
      within.reduce((total, { up }) => total + up, 0),
      within.reduce((total, { down }) => total + down, 0),
    );
  };
  const [hour, day] = [Math.floor(now / HOUR), Math.floor(now / DAY)];
  return {
    "24h": over(hours, hour - 23),
    "7d": over(hours, hour - 167),
    "30d": over(days, day - 29),
    "90d": over(days, day - 89),
  };
};

/** How long a range is, how long a point of it lasts, and what the points are made of: at most 400 of them. */
const RANGES: Record<Range, { span: number; step: number; from: "checks" | "hours" | "days" }> = {
  "24h": { span: DAY, step: 5 * MINUTE, from: "checks" },
  "7d": { span: 7 * DAY, step: HOUR, from: "hours" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "hours" },
  "90d": { span: 90 * DAY, step: 6 * HOUR, from: "hours" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
};

type Sum = {
  at: number;
  up: number;
  down: number;
  answered: number;
  totalTime: number;
  minTime: number | null;
  maxTime: number | null;
};

/** The points of a chart, oldest first. Spans without a check have none: gaps stay gaps. */
export const seriesOf = async (store: Store, monitorId: number, range: Range): Promise<Point[]> => {
  const { span, step, from } = RANGES[range];
  const now = store.clock.now();
  const since = (Math.floor((now - span) / step) + 1) * step;
  const sums =
    from === "checks"
      ? await readChecks(store, monitorId, since, now)
      : await readSums(store, monitorId, since, now, from);
  return [...Map.groupBy(sums, ({ at }) => Math.floor(at / step) * step)].map(([t, group]) => toPoint(t, group));
};

const readSums = async (
  { db }: Store,
  monitorId: number,
  since: number,
  now: number,
  from: "hours" | "days",
): Promise<Sum[]> => {
  const [table, length] = from === "hours" ? [checkHours, HOUR] : [checkDays, DAY];
  const rows = await db
    .select()
    .from(table)
    .where(and(isOneOf(table.bucket, bucketsSince(since, now, length)), eq(table.monitorId, monitorId)))
    .orderBy(asc(table.bucket));
  return rows.map((row) => ({ ...row, at: row.bucket * length }));
};

const readChecks = async ({ db }: Store, monitorId: number, since: number, now: number): Promise<Sum[]> => {
  const rows = await db
    .select({ at: checks.checkedAt, up: checks.up, time: checks.responseTime })
    .from(checks)
    .where(
      and(
        isOneOf(checks.hour, bucketsSince(since, now, HOUR)),
        eq(checks.monitorId, monitorId),
        gte(checks.checkedAt, since),
      ),
    )
    .orderBy(asc(checks.hour), asc(checks.checkedAt));
  return rows.map(({ at, up, time }) => ({
    at,
    up: up ? 1 : 0,
    down: up ? 0 : 1,
    answered: time === null ? 0 : 1,
    totalTime: time ?? 0,
    minTime: time,
    maxTime: time,
  }));
};

const toPoint = (t: number, sums: Sum[]): Point => {
  const total = (pick: (sum: Sum) => number) => sums.reduce((sum, each) => sum + pick(each), 0);
  const known = (pick: (sum: Sum) => number | null) => sums.map(pick).filter((time) => time !== null);
  const answered = total((sum) => sum.answered);
  const [least, most] = [known((sum) => sum.minTime), known((sum) => sum.maxTime)];
  const tenth = (time: number) => Math.round(time * 10) / 10;
  return {
    t,
    up: total((sum) => sum.up),
    down: total((sum) => sum.down),
    avg: answered === 0 ? null : tenth(total((sum) => sum.totalTime) / answered),
    min: least.length === 0 ? null : Math.min(...least),
    max: most.length === 0 ? null : Math.max(...most),
  };
};
