import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../../../db/database";
import { checkDays, checkHours, checks, monitors, pendingPurges, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";

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
  const standing = inArray(states.monitorId, theirs);
  return {
    states: [...lockRows(states, states.monitorId, standing), tx.delete(states).where(standing)],
    rest: [
      ...purgeTargets(tx, "monitor", theirs),
      sql`insert into ${pendingPurges} (kind, id, since) select 'monitor', ${monitors.id}, ${monitors.createdAt}
        from ${monitors} where ${monitors.userId} in (${owner})`,
    ],
  };
};
