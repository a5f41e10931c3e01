import { eq, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { agents, deletedAgents, agentStates as states } from "../../db/schema";
import { DAY } from "../../shared/limits";

/** How long a deleted agent's key is remembered. An agent that is started later only gets `unauthorized`. */
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

/** Whether the agent with this key was deleted in the last 90 days. */
export const isDeleted = async ({ db }: Pick<Deps, "db">, keyHash: string): Promise<boolean> =>
  (await db.$count(deletedAgents, eq(deletedAgents.keyHash, keyHash))) > 0;

/**
 * The error for a key without an agent. Without a record of the agent's deletion it is `unauthorized`, after which the
 * agent retries later: the hub may be temporarily without its data.
 */
export const refusalOfKey = async (deps: Pick<Deps, "db">, keyHash: string): Promise<AppError> =>
  (await isDeleted(deps, keyHash)) ? new AppError("agent_deleted") : new AppError("unauthorized");

/** Deletes the key hashes of agents that were deleted more than 90 days ago. */
export const purgeDeletedAgents = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(deletedAgents).where(lt(deletedAgents.deletedAt, clock.now() - REMEMBERED));
};
