import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkDays, checkHours, monitorStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { addHistograms, decodeHistogram, type Histogram, histogramOf } from "../../../lib/histogram";
import { DAY, HOUR } from "../../../shared/limits";
import { decodePack, type StoredCheck, scanPack } from "./pack";

/** What is known of the checks of a span of time. */
export type Sums = {
  up: number;
  down: number;
  /** Of the answered checks: their number, and their response times in milliseconds. */
  answered: number;
  totalTime: number;
  minTime: number | null;
  maxTime: number | null;
  histogram: Histogram;
};

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));

export const sumOf = (checks: readonly StoredCheck[]): Sums => {
  const times = checks.flatMap(({ responseTime }) => (responseTime === null ? [] : [responseTime]));
  const up = checks.filter((check) => check.up).length;
  return {
    up,
    down: checks.length - up,
    answered: times.length,
    totalTime: times.reduce((total, time) => total + time, 0),
    minTime: times.reduce<number | null>(least, null),
    maxTime: times.reduce<number | null>(most, null),
    histogram: histogramOf(times),
  };
};

export const addSums = (sums: readonly Sums[]): Sums => ({
  up: sums.reduce((total, { up }) => total + up, 0),
  down: sums.reduce((total, { down }) => total + down, 0),
  answered: sums.reduce((total, { answered }) => total + answered, 0),
  totalTime: sums.reduce((total, { totalTime }) => total + totalTime, 0),
  minTime: sums.reduce<number | null>((time, { minTime }) => least(time, minTime), null),
  maxTime: sums.reduce<number | null>((time, { maxTime }) => most(time, maxTime), null),
  histogram: addHistograms(sums.map(({ histogram }) => histogram)),
});

/** The columns of sums under their stored names. */
export const SUM_COLUMNS = "up, down, answered, total_time, min_time, max_time, histogram";

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** Converts a row of SUM_COLUMNS of either engine. */
export const readSums = (row: Record<string, unknown>): Sums => ({
  up: Number(row.up),
  down: Number(row.down),
  answered: Number(row.answered),
  totalTime: Number(row.total_time),
  minTime: numberOrNull(row.min_time),
  maxTime: numberOrNull(row.max_time),
  histogram: decodeHistogram(row.histogram as Uint8Array | null),
});

type Store = Pick<Deps, "db">;

/** The tables of sums, and the length of their buckets in milliseconds. */
const TABLES = { hours: { table: checkHours, length: HOUR }, days: { table: checkDays, length: DAY } };
type SumTable = keyof typeof TABLES;

/**
 * Stored sums and packs in one statement, because checks move from packs to sums: two statements could read a check
 * twice, or not at all.
 */
const withPacks = (stored: SQL, nulls: number, packs: SQL): SQL => {
  const empty = sql.raw(Array.from({ length: nulls }, () => "null").join(", "));
  return sql`${stored} union all select ${states.monitorId}, ${empty}, ${states.pack} from ${states} where ${packs} and ${states.pack} is not null`;
};

/** The sums of some buckets of a monitor, each with its bucket. Buckets without checks are left out. */
export const readBuckets = async (
  { db }: Store,
  from: SumTable,
  monitorId: number,
  buckets: readonly number[],
): Promise<{ bucket: number; sums: Sums }[]> => {
  const { table, length } = TABLES[from];
  const own = sql`${table.monitorId} = ${monitorId} and ${isOneOf(table.bucket, buckets)}`;
  const rows = await db.rows(
    withPacks(
      sql`select monitor_id, bucket, ${sql.raw(SUM_COLUMNS)}, null as pack from ${table} where ${own}`,
      1 + SUM_COLUMNS.split(", ").length,
      sql`${states.monitorId} = ${monitorId}`,
    ),
  );
  const found = new Map<number, Sums[]>();
  const add = (bucket: number, sums: Sums) => found.set(bucket, [...(found.get(bucket) ?? []), sums]);
  const wanted = new Set(buckets);
  for (const row of rows) {
    if (row.pack === null) add(Number(row.bucket), readSums(row));
    else {
      const { checks } = decodePack(row.pack as Uint8Array);
      const packed = Map.groupBy(checks, ({ checkedAt }) => Math.floor(checkedAt / length));
      for (const [bucket, own] of packed) if (wanted.has(bucket)) add(bucket, sumOf(own));
    }
  }
  return [...found].map(([bucket, sums]) => ({ bucket, sums: addSums(sums) }));
};

/** The numbers of up and down checks in a bucket of a monitor. */
type Counts = { monitorId: number; bucket: number; up: number; down: number };

/** The numbers of up and down checks of some monitors and buckets. One bucket may have several entries. */
export const readCounts = async (
  { db }: Store,
  from: SumTable,
  monitorIds: readonly number[],
  buckets: readonly number[],
): Promise<Counts[]> => {
  const { table, length } = TABLES[from];
  const rows = await db.rows(
    withPacks(
      sql`select monitor_id, bucket, up, down, null as pack from ${table}
        where ${isOneOf(table.bucket, buckets)} and ${isOneOf(table.monitorId, monitorIds)}`,
      3,
      isOneOf(states.monitorId, monitorIds),
    ),
  );
  const wanted = new Set(buckets);
  return rows.flatMap((row): Counts[] => {
    const monitorId = Number(row.monitor_id);
    if (row.pack === null) {
      return [{ monitorId, bucket: Number(row.bucket), up: Number(row.up), down: Number(row.down) }];
    }
    const counts = new Map<number, Counts>();
    scanPack(row.pack as Uint8Array, (at, up) => {
      const bucket = Math.floor(at / length);
      if (!wanted.has(bucket)) return;
      const count = counts.get(bucket) ?? { monitorId, bucket, up: 0, down: 0 };
      count[up ? "up" : "down"]++;
      counts.set(bucket, count);
    });
    return [...counts.values()];
  });
};
