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

/** The longest that anything of an agent is kept, and so how far back its rows are looked for. */
const KEPT = 366 * DAY;

/** Of each tier so many buckets at once that they hold some thousand rows. */
const TIERS = [
  { table: samples, bucket: samples.hour, length: HOUR, atOnce: 50 },
  { table: sampleTens, bucket: sampleTens.bucket, length: 10 * MINUTE, atOnce: 5000 },
  { table: sampleHours, bucket: sampleHours.bucket, length: HOUR, atOnce: 5000 },
  { table: sampleDays, bucket: sampleDays.bucket, length: DAY, atOnce: 5000 },
] as const;

/** Forgets what was recorded of an agent: short statements, which may stand in one transaction or in many. */
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
 * The statements that take the agents away from whoever `owner` selects. Those of `states` come first in the
 * transaction: from then on no report finds its agent. The agents themselves go with their user, and their samples are
 * left on the list of what is to be forgotten.
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
