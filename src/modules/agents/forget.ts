import { inArray, type SQL, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../db/database";
import { agents, sampleHours, samples, sampleTens, agentStates as states } from "../../db/schema";
import { isOneOf, lockRows } from "../../db/values";
import { bucketsSince } from "../../shared/buckets";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { forgetTargets } from "../notifications/events";

/** The longest that anything of an agent is kept, and so how far back its rows are looked for. */
const KEPT = 366 * DAY;

const TIERS = [
  { table: samples, bucket: samples.hour, length: HOUR },
  { table: sampleTens, bucket: sampleTens.bucket, length: 10 * MINUTE },
  { table: sampleHours, bucket: sampleHours.bucket, length: HOUR },
] as const;

/** The statements that forget what was recorded of these agents; `ids` is a list or a selection in parentheses. */
export const forgetSamples = (tx: Queries, ids: SQL, now: number): Statement[] =>
  TIERS.map(({ table, bucket, length }) =>
    tx
      .delete(table)
      .where(sql`${isOneOf(bucket, bucketsSince(now - KEPT, now + DAY, length))} and ${table.agentId} in ${ids}`),
  );

/**
 * The statements that forget the agents of whoever `owner` selects. Those of `states` come first in the transaction:
 * from then on no report finds its agent. The agents themselves go with their user.
 */
export const forgetAgentsOf = (tx: Queries, owner: SQL, now: number) => {
  const ids = sql`(select ${agents.id} from ${agents} where ${agents.userId} in (${owner}))`;
  const theirs = inArray(states.agentId, ids);
  return {
    states: [...lockRows(states, states.agentId, theirs), tx.delete(states).where(theirs)],
    past: [...forgetSamples(tx, ids, now), ...forgetTargets(tx, "agent", ids)],
  };
};
