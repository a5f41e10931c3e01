import { lt, sql } from "drizzle-orm";
import { agentStates, agents, enrollmentTokens } from "../../db/schema";
import { withValues } from "../../db/values";
import type { Deps } from "../../deps";
import { AppError } from "../../errors";
import { hashSecret, randomSecret } from "../../secrets";
import { DAY } from "../../shared/limits";
import { hasRoom, lockQuotas, noRoom } from "../quotas/service";
import type { RegisterBody } from "./model";

const TOKEN_LIFE = DAY;

/**
 * Creates a token with which one machine can enroll for this user within 24 hours. Only its hash is stored.
 * @throws {AppError} quota_reached
 */
export const generateToken = async (deps: Deps, userId: number) => {
  const { db, clock } = deps;
  const token = randomSecret("wkt");
  const createdAt = clock.now();
  const expiresAt = createdAt + TOKEN_LIFE;
  const results = await db.atomically(() => [
    ...lockQuotas(userId),
    sql`insert into ${enrollmentTokens} (hash, user_id, created_at, expires_at)
      select cast(${hashSecret(token)} as text), cast(${userId} as bigint), cast(${createdAt} as bigint), cast(${expiresAt} as bigint)
      where ${hasRoom(deps, "enrollment_tokens", userId)} returning id`,
  ]);
  if ((results.at(-1) as unknown[]).length === 0) throw await noRoom(deps, "enrollment_tokens", userId);
  return { token, expiresAt };
};

const refuse = (code: string, message: string) => new AppError(401, code, message);

const refusalOf = async (deps: Deps, hash: string, machine: string): Promise<AppError> => {
  const { db, clock } = deps;
  const [row] = await db.select().from(enrollmentTokens).where(sql`${enrollmentTokens.hash} = ${hash}`);
  if (!row) return refuse("token_invalid", "This registration token does not exist. Make a new one in the console.");
  if (row.expiresAt <= clock.now())
    return refuse("token_expired", "This registration token has expired. Make a new one in the console.");
  if (row.machineHash === null || row.machineHash === machine) return noRoom(deps, "servers", row.userId);
  return refuse("token_used", "This registration token was used by another machine. Make a new one in the console.");
};

const MACHINE = { name: "text", hostname: "text", ip_addresses: "json", os: "text", version: "text" } as const;

/**
 * Makes an agent of a machine that holds a token, and its key; the same machine may do so again, and then gets a fresh
 * key for the same agent.
 * @throws {AppError} token_invalid, token_expired, token_used, quota_reached
 */
export const enrol = async (deps: Deps, body: RegisterBody): Promise<{ id: number; key: string }> => {
  const { db, clock } = deps;
  const [hash, machine, now] = [hashSecret(body.token), hashSecret(body.machine_id), clock.now()];
  const key = randomSecret("wka");
  const name = body.name?.trim() || body.hostname;
  const owner = sql`(select offered.user_id from ${enrollmentTokens} as offered where offered.hash = ${hash})`;
  // A machine that enrolls again keeps its server, whatever the quota.
  const room = sql`(exists (select 1 from ${agents} as enrolled where enrolled.enrolment = ${hash}) or ${hasRoom(deps, "servers", owner)})`;
  const usable = sql`t.hash = ${hash} and t.machine_hash = ${machine} and t.expires_at > ${now}`;
  const results = await db.atomically((tx) => [
    ...lockQuotas(owner),
    tx
      .update(enrollmentTokens)
      .set({ machineHash: machine })
      .where(
        sql`${enrollmentTokens.hash} = ${hash} and ${enrollmentTokens.expiresAt} > ${now}
          and (${enrollmentTokens.machineHash} is null or ${enrollmentTokens.machineHash} = ${machine}) and ${room}`,
      ),
    sql`${withValues("machine", MACHINE, [[name, body.hostname, body.ip_addresses, body.os, body.version]])}
      insert into ${agents} (user_id, enrolment, name, hostname, ip_addresses, os, version, created_at)
      select t.user_id, t.hash, m.name, m.hostname, m.ip_addresses, m.os, m.version, cast(${now} as bigint)
      from machine as m cross join ${enrollmentTokens} as t where ${usable} and ${room}
      on conflict (enrolment) do update set hostname = excluded.hostname returning id`,
    sql`insert into ${agentStates} (agent_id, key_hash, status) select a.id, ${hashSecret(key)}, 'connecting' from ${agents} as a
      join ${enrollmentTokens} as t on t.hash = a.enrolment where ${usable}
      on conflict (agent_id) do update set key_hash = excluded.key_hash`,
  ]);
  const [agent] = results.at(-2) as { id: number }[];
  if (!agent) throw await refusalOf(deps, hash, machine);
  return { id: Number(agent.id), key };
};

/** Forgets tokens that nobody can use any more. */
export const sweepTokens = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(enrollmentTokens).where(lt(enrollmentTokens.expiresAt, clock.now() - 30 * DAY));
};
