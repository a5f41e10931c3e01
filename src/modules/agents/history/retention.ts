import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries } from "../../../db/database";
import {
  agents,
  pendingPurges,
  sampleDays,
  sampleHours,
  samples,
  sampleTens,
  agentStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";
import { rememberDeletedOf } from "../deleted";

/** The longest retention of an agent's history. */
const KEPT = 366 * DAY;

/** Buckets deleted at once, for each tier: some thousand rows. */
const TIERS = [
  { table: samples, bucket: samples.hour, length: HOUR, atOnce: 50 },
  { table: sampleTens, bucket: sampleTens.bucket, length: 10 * MINUTE, atOnce: 5000 },
  { table: sampleHours, bucket: sampleHours.bucket, length: HOUR, atOnce: 5000 },
  { table: sampleDays, bucket: sampleDays.bucket, length: DAY, atOnce: 5000 },
] as const;

/** Statements that delete an agent's history, for one transaction or several. */
export const purgeSamples = (tx: Queries, id: number, now: number) =>
  TIERS.flatMap(({ table, bucket, length, atOnce }) => {
    const buckets = bucketsSince(now - KEPT, now + DAY, length);
    return Array.from({ length: Math.ceil(buckets.length / atOnce) }, (_, index) =>
      tx
        .delete(table)
        .where(and(isOneOf(bucket, buckets.slice(index * atOnce, (index + 1) * atOnce)), eq(table.agentId, id))),
    );
  });

/**
 * Statements that delete the agents of the users that `owner` selects. Those of `states` come first in the
 * transaction, so that no report finds its agent afterwards. The agents are deleted with their
 * user, and their samples are added to the pending purges.
 */
export const purgeUserAgents = (tx: Queries, owner: SQL, now: number) => {
  const theirs = sql`(select ${agents.id} from ${agents} where ${agents.userId} in (${owner}))`;
  const standing = inArray(states.agentId, theirs);
  return {
    states: [
      ...lockRows(states, states.agentId, standing),
      rememberDeletedOf(owner, now),
      tx.delete(states).where(standing),
    ],
    rest: [
      ...purgeTargets(tx, "agent", theirs),
      sql`insert into ${pendingPurges} (kind, id, since) select 'agent', ${agents.id}, ${agents.createdAt}
        from ${agents} where ${agents.userId} in (${owner})`,
    ],
  };
};

/** How long samples are stored and accepted: a duplicate of an older one could not be detected. */
export const SAMPLES_KEPT = 48 * HOUR;
const SUMS = [
  { table: sampleTens, length: 10 * MINUTE, kept: 30 * DAY },
  { table: sampleHours, length: HOUR, kept: 365 * DAY },
  { table: sampleDays, length: DAY, kept: 365 * DAY },
] as const;

const SWEEP_ROWS = 5000;

/** Deletes expired rows of each tier in small pieces. Returns whether more are left. */
export const deleteExpiredSamples = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const now = clock.now();
  const before = (length: number, kept: number) => Math.floor((now - kept) / length);
  const results = (await db.atomically(() => [
    sql`with old as (select hour, agent_id, at from ${samples} where hour < ${before(HOUR, SAMPLES_KEPT)} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${samples} where (hour, agent_id, at) in (select hour, agent_id, at from old) returning 1 as gone`,
    ...SUMS.map(
      ({ table, length, kept }) =>
        sql`with old as (select bucket, agent_id from ${table} where bucket < ${before(length, kept)} limit ${SWEEP_ROWS}${skipLocked})
          delete from ${table} where (bucket, agent_id) in (select bucket, agent_id from old) returning 1 as gone`,
    ),
  ])) as unknown[][];
  return results.some((gone) => gone.length === SWEEP_ROWS);
};
