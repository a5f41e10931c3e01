/**
 * When monitors and servers were down. Outages of the last 90 days are kept in memory, because uptimes of whole lists are
 * computed from each of them: only new ones are read from the database.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { outages } from "../../../db/schema";
import { withValues } from "../../../db/sql";
import { mergeIntervals } from "../../../lib/intervals";
import { DAY, MINUTE } from "../../../shared/limits";
import { QUICK_RECHECK } from "../../../shared/monitor";
import type { OutageKind, TargetType } from "../../../shared/notifications";

/** The longest window that ends now. */
export const LONGEST_WINDOW = 90 * DAY;
/** Older outages are not kept in memory. A day more than the windows, whose end may have been read a moment ago. */
const KEPT = LONGEST_WINDOW + DAY;

/** The kind of outages of a target that does not work, and is not only slow or above a threshold. */
export const DOWN_KIND = { monitor: "down", agent: "offline" } as const satisfies Record<TargetType, OutageKind>;

/**
 * The outages of a target as pairs of start and end: the first starts at times[0] and ends at times[1]. An open one ends
 * at Infinity.
 */
export type OutageTimes = {
  all: readonly number[];
  /** The same time in order and without overlaps, which `all` has when the clock was set back. It is `all` where that is in order. */
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
type Cache = { byTarget: Record<TargetType, Map<number, Kept>>; numbers: number };
const createCache = (): Cache => ({ byTarget: { monitor: new Map(), agent: new Map() }, numbers: 0 });
const caches = new WeakMap<Deps["db"], Cache>();

const merge = (times: readonly number[]): number[] => {
  const pairs = Array.from({ length: times.length / 2 }, (_, index) => ({
    from: times[2 * index] ?? 0,
    to: times[2 * index + 1] ?? 0,
  }));
  return mergeIntervals(pairs).flatMap(({ from, to }) => [from, to]);
};

type Row = { id: number; targetId: number; from: number; to: number };

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const fromRow = (type: TargetType, row: Record<string, unknown>): Row => {
  const [counted, endedAt] = [numberOrNull(row.counted_from), numberOrNull(row.ended_at)];
  const stored = { targetType: type, startedAt: Number(row.started_at), countedFrom: counted, endedAt };
  return {
    id: Number(row.id),
    targetId: Number(row.target_id),
    from: countedFrom(stored),
    to: endedAt ?? Number.POSITIVE_INFINITY,
  };
};

/** Adds rows of one target in the order of their ids. The last known one is replaced, because it may have ended. */
const addRows = (cache: Cache, type: TargetType, targetId: number, rows: readonly Row[]): void => {
  const byId = cache.byTarget[type];
  const times = byId.get(targetId) ?? { lastId: 0, all: [], merged: [], isOrdered: true };
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
  byId.set(targetId, times);
  cache.numbers += times.all.length - before;
};

type Wanted = { type: TargetType; ids: readonly number[] };

const readNew = async (db: Deps["db"], cache: Cache, { type, ids }: Wanted, since: number): Promise<void> => {
  const lastIds = ids.map((id) => [id, cache.byTarget[type].get(id)?.lastId ?? 0]);
  const isDown = sql`o.target_type = ${type} and o.kind = ${DOWN_KIND[type]}`;
  // The last outage of each is read even if it is old, so that the next read begins with it.
  const rows =
    await db.rows(sql`${withValues("given", { id: "bigint", known: "bigint" }, lastIds)}, wanted as materialized (
      select id, known, (select o.id from ${outages} as o
        where ${isDown} and o.target_id = given.id order by o.id desc limit 1) as last from given)
    select o.id, o.target_id, o.started_at, o.counted_from, o.ended_at from wanted cross join ${outages} as o
    where ${isDown} and o.target_id = wanted.id and o.id >= wanted.known
      and (o.id = wanted.last or o.ended_at is null or o.ended_at >= ${since})
    order by o.id`);
  for (const [id, own] of Map.groupBy(
    rows.map((row) => fromRow(type, row)),
    ({ targetId }) => targetId,
  ))
    addRows(cache, type, id, own);
};

/** Old outages that are read at once: others wait no longer than that takes. */
const PAGE = 10_000;

/** Reads outages since a time that is too long ago for those in memory. */
const readOld = async (db: Deps["db"], { type, ids }: Wanted, since: number): Promise<Map<number, OutageTimes>> => {
  const cache = createCache();
  const given = ids.map((id) => [id]);
  for (let last = 0; ; ) {
    const page = await db.rows(sql`${withValues("given", { id: "bigint" }, given)}
      select o.id, o.target_id, o.started_at, o.counted_from, o.ended_at from given cross join ${outages} as o
      where o.target_type = ${type} and o.kind = ${DOWN_KIND[type]} and o.target_id = given.id and o.id > ${last}
        and (o.ended_at is null or o.ended_at > ${since})
      order by o.id limit ${PAGE}`);
    const rows = page.map((row) => fromRow(type, row));
    for (const [id, own] of Map.groupBy(rows, ({ targetId }) => targetId)) addRows(cache, type, id, own);
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PAGE) return cache.byTarget[type];
  }
};

/**
 * When these targets were down since a time, which may leave out those that never were. Many targets are read in several
 * calls, so that none delays checks.
 */
export const readOutageTimes = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  wanted: Wanted,
  since: number,
): Promise<ReadonlyMap<number, OutageTimes>> => {
  const kept = clock.now() - KEPT;
  if (since < kept) return readOld(db, wanted, since);
  const existing = caches.get(db);
  const cache = existing && existing.numbers <= MAX_NUMBERS ? existing : createCache();
  caches.set(db, cache);
  await readNew(db, cache, wanted, kept);
  return cache.byTarget[wanted.type];
};
