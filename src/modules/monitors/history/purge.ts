import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../../../db/database";
import { checkDays, checkHours, checks, monitors, pendingPurges, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { bucketsSince } from "../../../lib/buckets";
import { DAY, HOUR } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";

/** Some thousand rows at most: of checks there is one each minute, of sums one in each bucket. */
const HOURS_OF_CHECKS = 80;
const BUCKETS_OF_SUMS = 5000;

/** Whole hours or days since a time, the one under way and its neighbours included, so many at once. */
const stretches = (since: number, now: number, length: number, atOnce: number): number[][] => {
  const buckets = bucketsSince(since - length, now + length, length);
  return Array.from({ length: Math.ceil(buckets.length / atOnce) }, (_, index) =>
    buckets.slice(index * atOnce, (index + 1) * atOnce),
  );
};

/**
 * Forgets everything recorded of a monitor since a time, by one seek for each hour and day: each statement is a short
 * one, and they may stand in one transaction or in many.
 */
export const purgeChecks = (tx: Queries, id: number, since: number, now: number) => [
  ...stretches(since, now, HOUR, HOURS_OF_CHECKS).map((hours) =>
    tx.delete(checks).where(and(isOneOf(checks.hour, hours), eq(checks.monitorId, id))),
  ),
  ...stretches(since, now, HOUR, BUCKETS_OF_SUMS).map((hours) =>
    tx.delete(checkHours).where(and(isOneOf(checkHours.bucket, hours), eq(checkHours.monitorId, id))),
  ),
  ...stretches(since, now, DAY, BUCKETS_OF_SUMS).map((days) =>
    tx.delete(checkDays).where(and(isOneOf(checkDays.bucket, days), eq(checkDays.monitorId, id))),
  ),
];

/**
 * The statements that take the monitors away from whoever `owner` selects. Those of `states` come first in the
 * transaction: from then on no check is recorded. The monitors themselves go with their user, and what was recorded of
 * them is left on the list of what is to be forgotten.
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
