import { eq, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { agents, deletedAgents, agentStates as states } from "../../db/schema";
import { DAY } from "../../shared/limits";

/** How long the hub remembers that an agent was deleted. An agent that is switched on later is only told that its key is unknown. */
const REMEMBERED = 90 * DAY;

/**
 * A statement that stores the key hashes of agents which are about to be deleted. It goes before the statement that
 * deletes their states, in the same transaction.
 */
export const rememberDeleted = (agentIds: SQL, now: number): SQL =>
  sql`insert into ${deletedAgents} (key_hash, deleted_at)
    select s.key_hash, cast(${now} as bigint) from ${states} as s where s.agent_id in (${agentIds})
    on conflict (key_hash) do nothing`;

/** The same for every agent of the users that `owner` selects. */
export const rememberDeletedOf = (owner: SQL, now: number): SQL =>
  rememberDeleted(sql`select ${agents.id} from ${agents} where ${agents.userId} in (${owner})`, now);

/** Ends the agent program that gets it. */

/** Whether the hub remembers that the agent with this key was deleted. */
export const isDeleted = async ({ db }: Pick<Deps, "db">, keyHash: string): Promise<boolean> =>
  (await db.$count(deletedAgents, eq(deletedAgents.keyHash, keyHash))) > 0;

/**
 * Why a key that no agent has is refused. Without a record of its agent's deletion it is `unauthorized`, after which the
 * agent asks again later: the hub may have lost its data for a moment.
 */
export const refusalOfKey = async (deps: Pick<Deps, "db">, keyHash: string): Promise<AppError> =>
  (await isDeleted(deps, keyHash)) ? new AppError("agent_deleted") : new AppError("unauthorized");

/** Deletes the key hashes of agents that were deleted more than 90 days ago. */
export const purgeDeletedAgents = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(deletedAgents).where(lt(deletedAgents.deletedAt, clock.now() - REMEMBERED));
};
