import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../db/database";
import { checkDays, checkHours, checks, monitors, monitorStates as states } from "../../db/schema";
import { isOneOf, lockRows } from "../../db/values";
import type { Deps } from "../../deps";
import { bucketsSince } from "../../shared/buckets";
import { DAY, HOUR } from "../../shared/limits";
import { forgetTargets } from "../notifications/events";

const BUCKETS_AT_ONCE = 5000;

/** Stretches of whole hours or days since a time, the one under way and its neighbours included. */
const stretches = (since: number, now: number, length: number): number[][] => {
  const buckets = bucketsSince(since - length, now + length, length);
  return Array.from({ length: Math.ceil(buckets.length / BUCKETS_AT_ONCE) }, (_, index) =>
    buckets.slice(index * BUCKETS_AT_ONCE, (index + 1) * BUCKETS_AT_ONCE),
  );
};

/**
 * The statements that forget what was recorded of these monitors since a time: one seek for each hour and day. `ids`
 * is a list or a selection in parentheses.
 */
export const forgetChecks = (tx: Queries, ids: SQL, since: number, now: number): Statement[] => [
  ...stretches(since, now, HOUR).flatMap((hours) => [
    tx.delete(checks).where(sql`${isOneOf(checks.hour, hours)} and ${checks.monitorId} in ${ids}`),
    tx.delete(checkHours).where(sql`${isOneOf(checkHours.bucket, hours)} and ${checkHours.monitorId} in ${ids}`),
  ]),
  ...stretches(since, now, DAY).map((days) =>
    tx.delete(checkDays).where(sql`${isOneOf(checkDays.bucket, days)} and ${checkDays.monitorId} in ${ids}`),
  ),
];

/** When the oldest monitor of a user's was made, or null when there is none. */
export const oldestMonitor = async ({ db }: Pick<Deps, "db">, userId: number): Promise<number | null> => {
  const [row] = await db
    .select({ at: sql<number | null>`min(${monitors.createdAt})` })
    .from(monitors)
    .where(eq(monitors.userId, userId));
  return row?.at == null ? null : Number(row.at);
};

/**
 * The statements that forget the monitors of whoever `owner` selects, the oldest of which was made at `since`. Those of
 * `states` come first in the transaction: from then on no check is recorded. The monitors themselves go with their user.
 */
export const forgetMonitorsOf = (tx: Queries, owner: SQL, since: number | null, now: number) => {
  const ids = sql`(select ${monitors.id} from ${monitors} where ${monitors.userId} in (${owner}))`;
  const theirs = inArray(states.monitorId, ids);
  return {
    states: [...lockRows(states, states.monitorId, theirs), tx.delete(states).where(theirs)],
    past: [...(since === null ? [] : forgetChecks(tx, ids, since, now)), ...forgetTargets(tx, "monitor", ids)],
  };
};
