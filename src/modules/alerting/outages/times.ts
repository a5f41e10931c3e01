/**
 * When monitors were down, kept in memory: uptimes of whole lists are computed from every outage of 90 days. Only what
 * is new since the last read is read from the database.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { outages } from "../../../db/schema";
import { withValues } from "../../../db/sql";
import { mergeIntervals } from "../../../lib/intervals";
import { DAY, MINUTE } from "../../../shared/limits";
import { QUICK_RECHECK } from "../../../shared/monitor";

/** Older outages are not read. */
export const LONGEST_WINDOW = 90 * DAY;

/**
 * The outages of a monitor as pairs of start and end: the first starts at times[0] and ends at times[1]. An open one ends
 * at Infinity.
 */
export type OutageTimes = {
  all: readonly number[];
  /** The same time in order and without overlaps, which `all` has when the clock was set back. */
  merged: readonly number[];
};

/** Beyond this length the end of a monitor's outage is found as late as its start, so that the time between these is right (ms). */
const LATE_END = QUICK_RECHECK.minutes * MINUTE;
type Stored = Pick<typeof outages.$inferSelect, "targetType" | "startedAt" | "countedFrom" | "endedAt">;

/** From when an outage counts as down time. */
export const countedFrom = ({ targetType, startedAt, countedFrom, endedAt }: Stored): number =>
  targetType === "monitor" && (endedAt ?? 0) - startedAt > LATE_END ? startedAt : (countedFrom ?? startedAt);

type Kept = { lastId: number; all: number[]; merged: number[]; isOrdered: boolean };

/** Numbers in memory for one database, 32 MB; beyond it all are read again. */
const MAX_NUMBERS = 4_000_000;
type Cache = { byMonitor: Map<number, Kept>; numbers: number };
const caches = new WeakMap<Deps["db"], Cache>();

const merge = (times: readonly number[]): number[] => {
  const pairs = Array.from({ length: times.length / 2 }, (_, index) => ({
    from: times[2 * index] ?? 0,
    to: times[2 * index + 1] ?? 0,
  }));
  return mergeIntervals(pairs).flatMap(({ from, to }) => [from, to]);
};

/** Adds rows of one monitor in the order of their ids. The last known one is replaced, because it may have ended. */
const addRows = (cache: Cache, monitorId: number, rows: { id: number; from: number; to: number }[]): void => {
  const times = cache.byMonitor.get(monitorId) ?? { lastId: 0, all: [], merged: [], isOrdered: true };
  const [before, last] = [times.all.length, rows.at(-1)];
  if (last?.id === times.lastId && last.to === times.all.at(-1)) return;
  for (const { id, from, to } of rows) {
    if (id < times.lastId) continue;
    if (id === times.lastId) times.all.length -= 2;
    if (from < (times.all.at(-1) ?? 0)) times.isOrdered = false;
    times.all.push(from, to);
    times.lastId = id;
  }
  times.merged = times.isOrdered ? times.all : merge(times.all);
  cache.byMonitor.set(monitorId, times);
  cache.numbers += times.all.length - before;
};

const readNew = async (db: Deps["db"], cache: Cache, monitorIds: readonly number[], since: number): Promise<void> => {
  const lastIds = monitorIds.map((id) => [id, cache.byMonitor.get(id)?.lastId ?? 0]);
  // The last outage of each is read even if it is old, so that the next read begins with it.
  const rows =
    await db.rows(sql`${withValues("given", { id: "bigint", known: "bigint" }, lastIds)}, wanted as materialized (
      select id, known, (select o.id from ${outages} as o
        where o.target_type = 'monitor' and o.target_id = given.id and o.kind = 'down' order by o.id desc limit 1) as last from given)
    select o.id, o.target_id, o.started_at, o.counted_from, o.ended_at from wanted cross join ${outages} as o
    where o.target_type = 'monitor' and o.target_id = wanted.id and o.kind = 'down' and o.id >= wanted.known
      and (o.id = wanted.last or o.ended_at is null or o.ended_at >= ${since})
    order by o.id`);
  const byMonitor = Map.groupBy(rows, (row) => Number(row.target_id));
  for (const [monitorId, own] of byMonitor) {
    const times = own.map((row) => {
      const startedAt = Number(row.started_at);
      const [from = null, endedAt = null] = [row.counted_from, row.ended_at].map((time) =>
        time === null ? null : Number(time),
      );
      const to = endedAt ?? Number.POSITIVE_INFINITY;
      return {
        id: Number(row.id),
        from: countedFrom({ targetType: "monitor", startedAt, countedFrom: from, endedAt }),
        to,
      };
    });
    addRows(cache, monitorId, times);
  }
};

/**
 * When these monitors were down during the last 90 days. Monitors that never were are left out. Many monitors are read in
 * several calls, so that none delays checks.
 */
export const readOutageTimes = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  monitorIds: readonly number[],
): Promise<Map<number, OutageTimes>> => {
  const existing = caches.get(db);
  const cache =
    existing && existing.numbers <= MAX_NUMBERS ? existing : { byMonitor: new Map<number, Kept>(), numbers: 0 };
  caches.set(db, cache);
  await readNew(db, cache, monitorIds, clock.now() - LONGEST_WINDOW);
  return new Map(
    monitorIds.flatMap((id): [number, OutageTimes][] => {
      const times = cache.byMonitor.get(id);
      return times ? [[id, times]] : [];
    }),
  );
};
