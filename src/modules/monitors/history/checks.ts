import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries } from "../../../db/database";
import { checkDays, checkHours, checks, monitors, pendingPurges, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { storedError } from "../../../shared/monitor";
import { purgeTargets } from "../../notifications/events";
import { presentCheck } from "../present";

/** Hours of checks that the first query reads, the newest first. */
const HOURS_AT_ONCE = 48;

/** Reads a monitor's checks before a time, newest first. */
export const readHistory = async (
  { db, clock, config }: Deps,
  monitorId: number,
  { status, before = clock.now() + DAY, limit = 50 }: { status?: "up" | "down"; before?: number; limit?: number },
) => {
  const found: ReturnType<typeof presentCheck>[] = [];
  const newest = Math.floor(Math.min(before, clock.now() + DAY) / HOUR);
  const oldest = Math.floor(clock.now() / HOUR) - config.retention.checkDays * 24;
  // The first range is short, because it is nearly always enough; each later one is twice as long.
  for (
    let hour = newest, stretch = HOURS_AT_ONCE;
    hour >= oldest && found.length < limit;
    hour -= stretch, stretch *= 2
  ) {
    const hours = Array.from({ length: stretch }, (_, index) => hour - index);
    const rows = await db
      .select()
      .from(checks)
      .where(
        and(
          isOneOf(checks.hour, hours),
          eq(checks.monitorId, monitorId),
          lt(checks.checkedAt, before),
          status && eq(checks.up, status === "up"),
        ),
      )
      .orderBy(desc(checks.hour), desc(checks.checkedAt))
      .limit(limit - found.length);
    found.push(...rows.map((row) => presentCheck({ ...row, error: storedError(row) })));
  }
  return found;
};

const SWEEP_ROWS = 5000;

/** Purges one batch of checks and sums that are older than their retention. Returns whether more are left. */
export const deleteExpiredHistory = async ({ db, clock, config }: Deps): Promise<boolean> => {
  const now = clock.now();
  const lastHour = Math.floor(now / HOUR) - config.retention.checkDays * 24;
  const lastSum = Math.floor(now / HOUR) - config.retention.hourDays * 24;
  const [first, second] = (await db.atomically(() => [
    sql`with old as (select hour, monitor_id, checked_at from ${checks} where hour < ${lastHour} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checks} where (hour, monitor_id, checked_at) in (select hour, monitor_id, checked_at from old) returning 1 as gone`,
    sql`with old as (select bucket, monitor_id from ${checkHours} where bucket < ${lastSum} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checkHours} where (bucket, monitor_id) in (select bucket, monitor_id from old) returning 1 as gone`,
  ])) as unknown[][];
  return first?.length === SWEEP_ROWS || second?.length === SWEEP_ROWS;
};

/** Buckets per statement, each for at most 5,000 rows: checks run once a minute, and sums have one row per bucket. */
const HOURS_OF_CHECKS = 80;
const BUCKETS_OF_SUMS = 5000;

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
  ...batchesSince(since, now, HOUR, HOURS_OF_CHECKS).map((hours) =>
    tx.delete(checks).where(and(isOneOf(checks.hour, hours), eq(checks.monitorId, id))),
  ),
  ...batchesSince(since, now, HOUR, BUCKETS_OF_SUMS).map((hours) =>
    tx.delete(checkHours).where(and(isOneOf(checkHours.bucket, hours), eq(checkHours.monitorId, id))),
  ),
  ...batchesSince(since, now, DAY, BUCKETS_OF_SUMS).map((days) =>
    tx.delete(checkDays).where(and(isOneOf(checkDays.bucket, days), eq(checkDays.monitorId, id))),
  ),
];

/**
 * The statements that delete the monitors of the users that `owner` selects. `states` run first in the transaction: from
 * then on no check is recorded. The monitors themselves are deleted with their user, and their history is added to
 * pending_purges.
 */
export const purgeUserMonitors = (tx: Queries, owner: SQL) => {
  const theirs = sql`(select ${monitors.id} from ${monitors} where ${monitors.userId} in (${owner}))`;
  const ofTheirs = inArray(states.monitorId, theirs);
  return {
    states: [...lockRows(states, states.monitorId, ofTheirs), tx.delete(states).where(ofTheirs)],
    rest: [
      ...purgeTargets(tx, "monitor", theirs),
      sql`insert into ${pendingPurges} (kind, id, since) select 'monitor', ${monitors.id}, ${monitors.createdAt}
        from ${monitors} where ${monitors.userId} in (${owner})`,
    ],
  };
};
