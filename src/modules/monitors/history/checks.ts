import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { logErrorOnce } from "../../../core/log";
import type { Queries } from "../../../db/database";
import {
  checkBlocks,
  checkDays,
  checkHours,
  monitors,
  pendingPurges,
  monitorStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";
import { purgeOutages } from "../../outages/statements";
import { purgeTags } from "../../tags/service";
import { presentCheck } from "../present";
import { decodeBlock } from "./block";
import { decodePack, type StoredCheck } from "./pack";

type Store = Pick<Deps, "db" | "log">;

/**
 * Reads the checks of a monitor in some hours, oldest first: those of blocks and those of its pack. One statement reads
 * both, because checks move from the pack to blocks. `only` leaves out blocks without checks of that status. What is
 * damaged is skipped and logged.
 */
export const readChecks = async (
  { db, log }: Store,
  monitorId: number,
  hours: readonly number[],
  only?: "up" | "down",
): Promise<StoredCheck[]> => {
  const holds = only
    ? sql`and exists (select 1 from ${checkHours} as h where h.bucket = ${checkBlocks.hour} and h.monitor_id = ${monitorId} and h.${sql.raw(only)} > 0)`
    : sql``;
  const rows = await db.rows(sql`
    select hour, data from ${checkBlocks} where ${isOneOf(checkBlocks.hour, hours)} and ${checkBlocks.monitorId} = ${monitorId} ${holds}
    union all select null, pack from ${states} where ${states.monitorId} = ${monitorId} and pack is not null`);
  const wanted = new Set(hours);
  const found = rows.flatMap((row) => {
    const bytes = row.data as Uint8Array;
    const hour = row.hour === null ? null : Number(row.hour);
    const { checks, corrupt } = hour === null ? decodePack(bytes) : decodeBlock(hour, bytes);
    if (corrupt) logErrorOnce(log, "stored checks are damaged, they are skipped", { monitor: monitorId, hour });
    return checks;
  });
  return found
    .filter(({ checkedAt, up }) => wanted.has(Math.floor(checkedAt / HOUR)) && (!only || up === (only === "up")))
    .sort((a, b) => a.checkedAt - b.checkedAt);
};

/** Hours that the first query reads, the newest first, and the most that one reads. */
const FIRST_HOURS = 6;
const MOST_HOURS = 24 * 60;

/** Reads a monitor's checks before a time, newest first. */
export const readHistory = async (
  { db, log, clock, config }: Deps,
  { id: monitorId, kind }: { id: number; kind: string },
  { status, before = clock.now() + DAY, limit = 50 }: { status?: "up" | "down"; before?: number; limit?: number },
) => {
  const found: StoredCheck[] = [];
  const newest = Math.floor(Math.min(before, clock.now() + DAY) / HOUR);
  const oldest = Math.floor(clock.now() / HOUR) - config.retention.checkDays * 24;
  // The first range is short, because it is nearly always enough; each later one is twice as long.
  for (
    let hour = newest, stretch = FIRST_HOURS;
    hour >= oldest && found.length < limit;
    hour -= stretch, stretch = Math.min(2 * stretch, MOST_HOURS)
  ) {
    const hours = Array.from({ length: stretch }, (_, index) => hour - index);
    const checks = await readChecks({ db, log }, monitorId, hours, status);
    found.push(...checks.filter(({ checkedAt }) => checkedAt < before).reverse());
  }
  return found.slice(0, limit).map((check) => presentCheck(kind, check));
};

const SWEEP_ROWS = 5000;

/** Purges one batch of blocks and sums that are older than their retention. Returns whether more are left. */
export const deleteExpiredHistory = async ({ db, clock, config }: Deps): Promise<boolean> => {
  const now = clock.now();
  const lastHour = Math.floor(now / HOUR) - config.retention.checkDays * 24;
  const lastSum = Math.floor(now / HOUR) - config.retention.hourDays * 24;
  const [first, second] = (await db.atomically(() => [
    sql`with old as (select hour, monitor_id from ${checkBlocks} where hour < ${lastHour} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checkBlocks} where (hour, monitor_id) in (select hour, monitor_id from old) returning 1 as gone`,
    sql`with old as (select bucket, monitor_id from ${checkHours} where bucket < ${lastSum} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checkHours} where (bucket, monitor_id) in (select bucket, monitor_id from old) returning 1 as gone`,
  ])) as unknown[][];
  return first?.length === SWEEP_ROWS || second?.length === SWEEP_ROWS;
};

/** Buckets per statement, each for at most one row. */
const BUCKETS_AT_ONCE = 5000;

/** Batches of the buckets of `length` since a time, from the one before it to the one after `now`. */
const batchesSince = (since: number, now: number, length: number, atOnce: number): number[][] => {
  const buckets = bucketsSince(since - length, now + length, length);
  return Array.from({ length: Math.ceil(buckets.length / atOnce) }, (_, index) =>
    buckets.slice(index * atOnce, (index + 1) * atOnce),
  );
};

/**
 * The statements that purge the history of a monitor since a time, by one seek for each hour and day. Each is short, and
 * they may run in one transaction or in several.
 */
export const purgeChecks = (tx: Queries, id: number, since: number, now: number) => [
  ...batchesSince(since, now, HOUR, BUCKETS_AT_ONCE).map((hours) =>
    tx.delete(checkBlocks).where(and(isOneOf(checkBlocks.hour, hours), eq(checkBlocks.monitorId, id))),
  ),
  ...batchesSince(since, now, HOUR, BUCKETS_AT_ONCE).map((hours) =>
    tx.delete(checkHours).where(and(isOneOf(checkHours.bucket, hours), eq(checkHours.monitorId, id))),
  ),
  ...batchesSince(since, now, DAY, BUCKETS_AT_ONCE).map((days) =>
    tx.delete(checkDays).where(and(isOneOf(checkDays.bucket, days), eq(checkDays.monitorId, id))),
  ),
];

/**
 * The statements that delete what is stored of the monitors that `ids` selects, but not the monitors themselves. `states` run first in
 * the transaction: from then on no check is recorded. The history can be millions of rows: it is added to pending_purges.
 */
export const purgeMonitors = (tx: Queries, ids: SQL) => {
  const selected = sql`(${ids})`;
  const ofTheirs = inArray(states.monitorId, selected);
  return {
    states: [...lockRows(states, states.monitorId, ofTheirs), tx.delete(states).where(ofTheirs)],
    rest: [
      purgeOutages(tx, "monitor", selected),
      ...purgeTargets(tx, "monitor", selected),
      purgeTags(tx, "monitor", selected),
      sql`insert into ${pendingPurges} (kind, id, since) select 'monitor', ${monitors.id}, ${monitors.createdAt}
        from ${monitors} where ${monitors.id} in ${selected}`,
    ],
  };
};

/** Like purgeMonitors, of the users that `owner` selects. Their monitors are deleted with them. */
export const purgeUserMonitors = (tx: Queries, owner: SQL) =>
  purgeMonitors(tx, sql`select ${monitors.id} from ${monitors} where ${monitors.userId} in (${owner})`);
