import type { Database } from "bun:sqlite";
import type { SQL } from "bun";
import { checkBlock } from "../../../src/modules/monitors/history/block";
import { checkPack, type StoredCheck } from "../../../src/modules/monitors/history/pack";
import { DAY, HOUR } from "../../../src/shared/limits";

type Row = Record<string, unknown>;
/** Runs a statement on the database of a hub. */
export type Query = (statement: string) => Promise<Row[]>;

export const queryOf =
  (db: Database): Query =>
  async (statement) =>
    db.query<Row, []>(statement).all();

export const queryOfPostgres =
  (sql: SQL): Query =>
  async (statement) =>
    await sql.unsafe(statement);

/** A check of a monitor, from a block or from the monitor's pack. */
export type MonitorCheck = StoredCheck & { monitorId: number };

const decode = ({ monitor_id, bucket, data }: Row): MonitorCheck[] => {
  const [monitorId, bytes] = [Number(monitor_id), data as Uint8Array];
  const { rows: checks, corrupt } =
    bucket === null ? checkPack.decode(bytes) : checkBlock.decode(Number(bucket), bytes);
  if (corrupt) throw new Error(`the stored checks of monitor ${monitorId} are damaged`);
  return checks.map((check) => ({ ...check, monitorId }));
};

/** Bounds of check times (epoch ms); `until` is exclusive. */
type Span = { from?: number; until?: number };

/** Reads the checks of all monitors, in the order of their times. */
export const readStoredChecks = async (
  query: Query,
  { from = 0, until = Date.now() + DAY }: Span = {},
): Promise<MonitorCheck[]> => {
  // One statement: the hub may move checks from packs to blocks between two.
  const rows = await query(`
    select hour as bucket, monitor_id, data from check_blocks
      where hour between ${Math.floor(from / HOUR)} and ${Math.floor(until / HOUR)}
    union all select null, monitor_id, pack from monitor_states where pack is not null`);
  return rows
    .flatMap(decode)
    .filter(({ checkedAt }) => checkedAt >= from && checkedAt < until)
    .sort((a, b) => a.checkedAt - b.checkedAt);
};

const ALL = `
  select 'block' as source, hour as bucket, monitor_id, data, 0 as counted from check_blocks
  union all select 'pack', null, monitor_id, pack, 0 from monitor_states where pack is not null
  union all select 'hour', bucket, monitor_id, null, up + down from check_hours
  union all select 'day', bucket, monitor_id, null, up + down from check_days`;

/** How far the sums of hours or days are from the checks in blocks, added up over all monitors. */
const distance = (sums: Row[], blocks: MonitorCheck[], length: number): number => {
  const left = new Map<string, number>();
  const add = (bucket: number, monitorId: number, count: number) => {
    const key = `${bucket} ${monitorId}`;
    left.set(key, (left.get(key) ?? 0) + count);
  };
  for (const { bucket, monitor_id, counted } of sums) add(Number(bucket), Number(monitor_id), Number(counted));
  for (const { checkedAt, monitorId } of blocks) add(Math.floor(checkedAt / length), monitorId, -1);
  return [...left.values()].reduce((sum, count) => sum + Math.abs(count), 0);
};

/**
 * Reads all stored checks, and compares them with their sums: each check is stored once, and each one in a block is in the
 * sums of its hour and its day. Those in packs are in no sum yet. Every figure of `losses` should be zero.
 */
export const auditChecks = async (query: Query) => {
  const rows = Map.groupBy(await query(ALL), ({ source }) => source);
  const of = (source: string) => rows.get(source) ?? [];
  const blocks = of("block").flatMap(decode);
  const packed = of("pack").flatMap(decode);
  const checks = [...blocks, ...packed].sort((a, b) => a.checkedAt - b.checkedAt);
  const distinct = new Set(checks.map(({ monitorId, checkedAt }) => `${monitorId} ${checkedAt}`));
  return {
    checks,
    packed: packed.length,
    losses: {
      checks_stored_twice: checks.length - distinct.size,
      hours_beside_checks: distance(of("hour"), blocks, HOUR),
      days_beside_checks: distance(of("day"), blocks, DAY),
    },
  };
};
