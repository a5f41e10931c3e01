import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
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
import { isOneOf, lockRows } from "../../../db/sql";
import { bucketsSince } from "../../../lib/buckets";
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
