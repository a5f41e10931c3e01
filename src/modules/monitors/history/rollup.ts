/**
 * Moves the checks of past hours out of the packs of monitors' states:
 *
 *   1. read     the packs whose oldest check belongs to a past hour, and what is stored of those hours and days
 *   2. compute  a block and sums for each monitor and hour, the sums of the days, and the monitor's latest checks
 *   3. write    all of it in one transaction, for each monitor whose pack has not changed since it was read
 */

import { lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkBlocks, checkDays, checkHours, recentChecks, monitorStates as states } from "../../../db/schema";
import { hex, isOneOf, lockRows, withValues } from "../../../db/sql";
import { encodeHistogram } from "../../../lib/histogram";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { MAX_RECENT } from "../../../shared/monitor";
import { decodeBlock, encodeBlock } from "./block";
import { decodePack, encodePack, type StoredCheck } from "./pack";
import { addSums, readSums, SUM_COLUMNS, type Sums, sumOf } from "./sums";

/** Monitors per transaction. */
const BATCH = 500;
/** An hour is moved this long after its end, when its last results are written. */
const GRACE_MS = MINUTE;

type Packed = { monitorId: number; packHour: number; pack: Uint8Array; lastCheckedAt: number };
/** What is written for one monitor and hour, and what it adds to the hour and its day. */
type Hour = { monitorId: number; hour: number; block: Uint8Array; added: Sums };
type Move = { packed: Packed; hours: Hour[]; recent: Uint8Array; rest: StoredCheck[] };

const byTime = (a: StoredCheck, b: StoredCheck) => a.checkedAt - b.checkedAt;
const keyOf = (bucket: number, monitorId: number) => `${bucket}:${monitorId}`;
const hourOf = ({ checkedAt }: StoredCheck) => Math.floor(checkedAt / HOUR);

const readPacks = async ({ db }: Pick<Deps, "db">, before: number): Promise<Packed[]> => {
  const rows = await db
    .select({
      monitorId: states.monitorId,
      packHour: states.packHour,
      pack: states.pack,
      lastCheckedAt: states.lastCheckedAt,
    })
    .from(states)
    .where(lt(states.packHour, before))
    .orderBy(states.monitorId)
    .limit(BATCH);
  return rows.flatMap(({ monitorId, packHour, pack, lastCheckedAt }) =>
    packHour === null || pack === null ? [] : [{ monitorId, packHour, pack, lastCheckedAt: lastCheckedAt ?? 0 }],
  );
};

/** The stored rows of some buckets of these monitors, by bucket and monitor. */
const readStored = async <T>(
  { db }: Pick<Deps, "db">,
  statement: SQL,
  read: (row: Record<string, unknown>) => T,
): Promise<Map<string, T>> => {
  const rows = await db.rows(statement);
  return new Map(rows.map((row) => [keyOf(Number(row.bucket), Number(row.monitor_id)), read(row)]));
};

const sumsIn = (
  deps: Pick<Deps, "db">,
  table: typeof checkHours | typeof checkDays,
  buckets: number[],
  ids: number[],
) =>
  readStored(
    deps,
    sql`select bucket, monitor_id, ${sql.raw(SUM_COLUMNS)} from ${table} where ${isOneOf(table.bucket, buckets)} and ${isOneOf(table.monitorId, ids)}`,
    readSums,
  );

const blocksIn = (deps: Pick<Deps, "db">, hours: number[], ids: number[]) =>
  readStored(
    deps,
    sql`select hour as bucket, monitor_id, data from ${checkBlocks} where ${isOneOf(checkBlocks.hour, hours)} and ${isOneOf(checkBlocks.monitorId, ids)}`,
    (row) => row.data as Uint8Array,
  );

const unique = (values: number[]) => [...new Set(values)];

/** The checks of an hour with those that its block has already, each time once. */
const mergeChecks = (stored: StoredCheck[], checks: StoredCheck[]) => {
  const known = new Set(stored.map(({ checkedAt }) => checkedAt));
  const added = checks.filter(({ checkedAt }) => !known.has(checkedAt) && known.add(checkedAt));
  return { added, all: [...stored, ...added].sort(byTime) };
};

const planMove = (
  packed: Packed,
  { checks, recent }: { checks: StoredCheck[]; recent: StoredCheck[] },
  before: number,
  blocks: Map<string, Uint8Array>,
): Move => {
  const { monitorId } = packed;
  const later = checks.filter((check) => hourOf(check) >= before);
  const last = later.at(-1);
  // A short entry has the hour of the entry before it, so what stays must end in the hour of the last check. With
  // instances whose clocks differ it may not; then all checks are moved.
  const keepsLater = last !== undefined && hourOf(last) === Math.floor(packed.lastCheckedAt / HOUR);
  const past = Map.groupBy(keepsLater ? checks.filter((check) => hourOf(check) < before) : checks, hourOf);
  const hours = [...past].map(([hour, found]): Hour => {
    const stored = decodeBlock(hour, blocks.get(keyOf(hour, monitorId)) ?? null).checks;
    const { added, all } = mergeChecks(stored, found);
    return { monitorId, hour, block: encodeBlock(hour, all), added: sumOf(added) };
  });
  const latest = [...recent, ...[...past.values()].flat()].sort(byTime).slice(-MAX_RECENT);
  return { packed, hours, recent: encodePack(latest), rest: keepsLater ? later : [] };
};

/** The condition that a monitor's pack has not changed since it was read. */
const unchanged = sql`${states.monitorId} = m.monitor_id and ${states.packHour} = m.pack_hour and octet_length(${states.pack}) = m.length`;
const movable = sql`join ${states} on ${unchanged}`;
const MOVED = { monitor_id: "bigint", pack_hour: "integer", length: "integer" } as const;

const movedValues = ({ monitorId, packHour, pack }: Packed) => [monitorId, packHour, pack.length];

const writeSums = (
  table: typeof checkHours | typeof checkDays,
  rows: { packed: Packed; bucket: number; sums: Sums }[],
): SQL => {
  const columns = {
    ...MOVED,
    bucket: "integer",
    up: "integer",
    down: "integer",
    answered: "integer",
    total_time: "double precision",
    min_time: "double precision",
    max_time: "double precision",
    histogram: "bytes",
  } as const;
  const values = rows.map(({ packed, bucket, sums: { histogram, ...sums } }) => [
    ...movedValues(packed),
    bucket,
    sums.up,
    sums.down,
    sums.answered,
    sums.totalTime,
    sums.minTime,
    sums.maxTime,
    hex(encodeHistogram(histogram)),
  ]);
  const replaced = SUM_COLUMNS.split(", ").map((name) => `${name} = excluded.${name}`);
  return sql`${withValues("m", columns, values)} insert into ${table} (bucket, monitor_id, ${sql.raw(SUM_COLUMNS)})
    select m.bucket, m.monitor_id, ${sql.raw(
      SUM_COLUMNS.split(", ")
        .map((name) => `m.${name}`)
        .join(", "),
    )} from m ${movable}
    on conflict (bucket, monitor_id) do update set ${sql.raw(replaced.join(", "))}`;
};

const writeMoves = (moves: Move[], hours: Map<string, Sums>, days: Map<string, Sums>): SQL[] => {
  const all = moves.flatMap(({ packed, hours }) => hours.map((hour) => ({ packed, ...hour })));
  const sumsOfHours = all.map(({ packed, monitorId, hour, added }) => {
    const stored = hours.get(keyOf(hour, monitorId));
    return { packed, bucket: hour, sums: stored ? addSums([stored, added]) : added };
  });
  const perDay = Map.groupBy(all, ({ monitorId, hour }) => keyOf(Math.floor((hour * HOUR) / DAY), monitorId));
  const sumsOfDays = [...perDay].map(([key, added]) => {
    const [{ packed, hour }] = added as [(typeof added)[number]];
    const stored = days.get(key);
    const sums = addSums([...(stored ? [stored] : []), ...added.map((each) => each.added)]);
    return { packed, bucket: Math.floor((hour * HOUR) / DAY), sums };
  });
  const blocks = withValues(
    "m",
    { ...MOVED, hour: "integer", data: "bytes" },
    all.map(({ packed, hour, block }) => [...movedValues(packed), hour, hex(block)]),
  );
  const rests = withValues(
    "m",
    { ...MOVED, recent: "bytes", rest_hour: "integer", rest: "bytes" },
    moves.map(({ packed, recent, rest: [first, ...others] }) => [
      ...movedValues(packed),
      hex(recent),
      first ? hourOf(first) : null,
      first ? hex(encodePack([first, ...others])) : null,
    ]),
  );
  return [
    ...lockRows(
      states,
      states.monitorId,
      isOneOf(
        states.monitorId,
        moves.map(({ packed }) => packed.monitorId),
      ),
    ),
    sql`${blocks} insert into ${checkBlocks} (hour, monitor_id, data) select m.hour, m.monitor_id, m.data from m ${movable}
      on conflict (hour, monitor_id) do update set data = excluded.data`,
    writeSums(checkHours, sumsOfHours),
    writeSums(checkDays, sumsOfDays),
    sql`${rests} insert into ${recentChecks} (monitor_id, checks) select m.monitor_id, m.recent from m ${movable}
      on conflict (monitor_id) do update set checks = excluded.checks`,
    sql`${rests} update ${states} set pack_hour = m.rest_hour, pack = m.rest from m where ${unchanged} returning ${states.monitorId}`,
  ];
};

type Rolling = Pick<Deps, "db" | "log">;

/** Moves one batch of checks of the hours before `before`. Returns how many monitors had some, and how many were moved. */
const moveBatch = async (deps: Rolling, before: number): Promise<{ found: number; moved: number }> => {
  const packs = await readPacks(deps, before);
  if (packs.length === 0) return { found: 0, moved: 0 };
  const decoded = packs.map((packed) => ({ packed, ...decodePack(packed.pack) }));
  const ids = packs.map(({ monitorId }) => monitorId);
  const hours = unique(decoded.flatMap(({ checks }) => checks.map(hourOf)));
  const days = unique(hours.map((hour) => Math.floor((hour * HOUR) / DAY)));
  const [blocks, storedHours, storedDays, latest] = await Promise.all([
    blocksIn(deps, hours, ids),
    sumsIn(deps, checkHours, hours, ids),
    sumsIn(deps, checkDays, days, ids),
    deps.db.select().from(recentChecks).where(isOneOf(recentChecks.monitorId, ids)),
  ]);
  const recent = new Map(latest.map(({ monitorId, checks }) => [monitorId, decodePack(checks).checks]));
  const moves = decoded.map(({ packed, checks, corrupt }) => {
    const { monitorId } = packed;
    if (corrupt) deps.log.error("a pack of checks is damaged, its readable part is kept", { monitor: monitorId });
    return planMove(packed, { checks, recent: recent.get(monitorId) ?? [] }, before, blocks);
  });
  const results = await deps.db.atomically(() => writeMoves(moves, storedHours, storedDays));
  return { found: packs.length, moved: (results.at(-1) as unknown[]).length };
};

/**
 * Creates the job that moves the checks of each past hour once. A call makes no query when there is nothing to move.
 * Packs that changed while they were moved are left to the next call.
 */
export const createRollup = (deps: Rolling & Pick<Deps, "clock">) => {
  let movedBefore = 0;
  return async (): Promise<void> => {
    const before = Math.floor((deps.clock.now() - GRACE_MS) / HOUR);
    if (before === movedBefore) return;
    for (;;) {
      const { found, moved } = await moveBatch(deps, before);
      if (found < BATCH && moved === found) movedBefore = before;
      if (found < BATCH || moved === 0) return;
      await deps.clock.sleep(50);
    }
  };
};
