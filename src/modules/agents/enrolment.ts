import { lt, sql } from "drizzle-orm";
import { agentStates, agents, enrollmentTokens } from "../../db/schema";
import { withValues } from "../../db/values";
import type { Deps } from "../../deps";
import { AppError } from "../../errors";
import { hashSecret, randomSecret } from "../../secrets";
import { DAY } from "../../shared/limits";
import type { RegisterBody } from "./model";

const TOKEN_LIFE = DAY;

/** A token with which one machine can enrol as this user's within 24 hours. It is not kept, so it can be read only now. */
export const generateToken = async ({ db, clock }: Deps, userId: number) => {
  const token = randomSecret("wkt");
  const createdAt = clock.now();
  const expiresAt = createdAt + TOKEN_LIFE;
  await db.insert(enrollmentTokens).values({ hash: hashSecret(token), userId, createdAt, expiresAt });
  return { token, expiresAt };
};

const refuse = (code: string, message: string) => new AppError(401, code, message);

const refusalOf = async ({ db, clock }: Deps, hash: string): Promise<AppError> => {
  const [row] = await db.select().from(enrollmentTokens).where(sql`${enrollmentTokens.hash} = ${hash}`);
  if (!row) return refuse("token_invalid", "This registration token does not exist. Make a new one in the console.");
  if (row.expiresAt <= clock.now())
    return refuse("token_expired", "This registration token has expired. Make a new one in the console.");
  return refuse("token_used", "This registration token was used by another machine. Make a new one in the console.");
};

const MACHINE = { name: "text", hostname: "text", ip_addresses: "json", os: "text", version: "text" } as const;

/**
 * Makes an agent of a machine that holds a token, and its key; the same machine may do so again, and then gets a fresh
 * key for the same agent.
 * @throws {AppError} token_invalid, token_expired, token_used
 */
export const enrol = async (deps: Deps, body: RegisterBody): Promise<{ id: number; key: string }> => {
  const { db, clock } = deps;
  const [hash, machine, now] = [hashSecret(body.token), hashSecret(body.machine_id), clock.now()];
  const key = randomSecret("wka");
  const name = body.name?.trim() || body.hostname;
  const usable = sql`t.hash = ${hash} and t.machine_hash = ${machine} and t.expires_at > ${now}`;
  const [, made] = await db.atomically((tx) => [
    tx
      .update(enrollmentTokens)
      .set({ machineHash: machine })
      .where(
        sql`${enrollmentTokens.hash} = ${hash} and ${enrollmentTokens.expiresAt} > ${now}
          and (${enrollmentTokens.machineHash} is null or ${enrollmentTokens.machineHash} = ${machine})`,
      ),
    sql`${withValues("machine", MACHINE, [[name, body.hostname, body.ip_addresses, body.os, body.version]])}
      insert into ${agents} (user_id, enrolment, name, hostname, ip_addresses, os, version, created_at)
      select t.user_id, t.hash, m.name, m.hostname, m.ip_addresses, m.os, m.version, cast(${now} as bigint)
      from machine as m cross join ${enrollmentTokens} as t where ${usable}
      on conflict (enrolment) do update set hostname = excluded.hostname returning id`,
    sql`insert into ${agentStates} (agent_id, key_hash, status) select a.id, ${hashSecret(key)}, 'connecting' from ${agents} as a
      join ${enrollmentTokens} as t on t.hash = a.enrolment where ${usable}
      on conflict (agent_id) do update set key_hash = excluded.key_hash`,
  ]);
  const [agent] = made as { id: number }[];
  if (!agent) throw await refusalOf(deps, hash);
  return { id: Number(agent.id), key };
};

/** Forgets tokens that nobody can use any more. */
export const sweepTokens = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(enrollmentTokens).where(lt(enrollmentTokens.expiresAt, clock.now() - 30 * DAY));
};
