import type { Static } from "@sinclair/typebox";
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import { hashSecret, randomSecret } from "../../core/secrets";
import type { Database } from "../../db/database";
import { ownedBy } from "../../db/owner";
import { agentStates, agents, enrollmentTokens } from "../../db/schema";
import { isOneOf, lockRows, withValues } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import { isoTime } from "../../lib/time";
import { boolean, id, object, time } from "../../server/answers";
import { DAY } from "../../shared/limits";
import { hasRoom, lockQuotas, noRoom } from "../quotas/service";
import { writePendingOf } from "./ingest/journal";
import { pendingOf } from "./ingest/pending";
import type { RegisterBody } from "./model";

const TOKEN_LIFE = DAY;
const LISTED_TOKENS = 1000;

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
  const [made] = results.at(-1) as { id: number }[];
  if (!made) throw await noRoom(deps, "enrollment_tokens", userId);
  return { id: Number(made.id), token, expiresAt };
};

export const EnrollmentToken = object({
  id: id("The token's id.", 3),
  created_at: time("When it was created."),
  expires_at: time("When it expires.", "2026-01-16T12:20:00.000Z"),
  used: boolean("Whether a machine has enrolled with it.", false),
});

/** The user's tokens that have not expired, newest first, and whether a machine has used each. */
export const listTokens = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: number,
): Promise<Static<typeof EnrollmentToken>[]> => {
  const rows = await db
    .select()
    .from(enrollmentTokens)
    .where(and(ownedBy(enrollmentTokens, userId), gt(enrollmentTokens.expiresAt, clock.now())))
    .orderBy(desc(enrollmentTokens.id))
    .limit(LISTED_TOKENS);
  return rows.map(({ id, createdAt, expiresAt, machineHash }) => ({
    id,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    used: machineHash !== null,
  }));
};

/**
 * Revokes a token of the user's. A server that enrolled with it stays.
 * @throws {AppError} not_found, also for another user's token
 */
export const revokeToken = async ({ db }: Pick<Deps, "db">, userId: number, id: number): Promise<void> => {
  const deleted = await db
    .delete(enrollmentTokens)
    .where(and(eq(enrollmentTokens.id, id), ownedBy(enrollmentTokens, userId)))
    .returning({ id: enrollmentTokens.id });
  if (deleted.length === 0) throw notFound("Enrollment token");
};

/** The error for a token that did not enroll a machine. */
const refusalOf = async (deps: Deps, hash: string): Promise<AppError> => {
  const [row] = await deps.db.select().from(enrollmentTokens).where(eq(enrollmentTokens.hash, hash));
  if (!row) return new AppError("token_invalid");
  if (row.expiresAt <= deps.clock.now()) return new AppError("token_expired");
  if (row.machineHash === null) return noRoom(deps, "servers", row.userId);
  return new AppError("token_used");
};

const MACHINE = {
  name: "text",
  name_key: "text",
  hostname: "text",
  ip_addresses: "json",
  os: "text",
  version: "text",
} as const;

/** Identifies a machine's server for each user. `machine` is the hash of its secret. */
const enrollmentOf = (userId: number, machine: string): string => hashSecret(`${userId} ${machine}`);

/** Runs a transaction that changes an agent's key, after its pending reports are written, which have the old one. */
const changeKey = ({ db }: Pick<Deps, "db">, enrollment: string, build: Parameters<Database["atomically"]>[0]) => {
  const pending = pendingOf(db);
  return pending.exclusively(async () => {
    const found = await db.select({ id: agents.id }).from(agents).where(eq(agents.enrollment, enrollment));
    await writePendingOf(
      { db },
      pending,
      found.map(({ id }) => id),
    );
    return db.atomically(build);
  });
};

/**
 * Enrolls a machine with a token: creates a server and a report key. `machine_id` is a secret that the machine's
 * agent generated: a machine of this user keeps its server and gets a new key, which replaces the old one. The
 * same machine may use its token again until its first report or the deletion of its server.
 * @throws {AppError} token_invalid, token_expired, token_used, quota_reached
 */
export const enroll = async (deps: Deps, body: RegisterBody): Promise<{ id: number; key: string }> => {
  const { db, clock } = deps;
  const [hash, machine, now] = [hashSecret(body.token), hashSecret(body.machine_id), clock.now()];
  const [token] = await db.select().from(enrollmentTokens).where(eq(enrollmentTokens.hash, hash));
  if (!token || token.expiresAt <= now) throw await refusalOf(deps, hash);
  const key = randomSecret("wka");
  const keyHash = hashSecret(key);
  const enrollment = enrollmentOf(token.userId, machine);
  const name = body.name?.trim() || body.hostname;
  const known = sql`exists (select 1 from ${agents} as enrolled where enrolled.enrollment = ${enrollment})`;
  // A machine that enrolls again keeps its server, also above the quota.
  const room = sql`(${known} or ${hasRoom(deps, "servers", token.userId)})`;
  const unused = sql`t.hash = ${hash} and t.machine_hash is null`;
  const locks = [
    ...lockQuotas(token.userId),
    ...lockRows(enrollmentTokens, enrollmentTokens.id, eq(enrollmentTokens.hash, hash)),
  ];
  const results = await changeKey(deps, enrollment, (tx) => [
    ...locks,
    sql`${withValues("machine", MACHINE, [[name, sortKey(name), body.hostname, body.ip_addresses, body.os, body.version]])}
      insert into ${agents} (user_id, enrollment, name, name_key, hostname, ip_addresses, os, version, created_at)
      select t.user_id, ${enrollment}, m.name, m.name_key, m.hostname, m.ip_addresses, m.os, m.version, cast(${now} as bigint)
      from machine as m cross join ${enrollmentTokens} as t where ${unused} and ${room}
      on conflict (enrollment) do update set hostname = excluded.hostname returning id`,
    // Without a report since, the machine may repeat the request: the answer may have been lost.
    sql`insert into ${agentStates} (agent_id, key_hash, status) select a.id, ${keyHash}, 'connecting' from ${agents} as a
      cross join ${enrollmentTokens} as t where a.enrollment = ${enrollment} and ${unused}
      on conflict (agent_id) do update set key_hash = excluded.key_hash, reported_at = null`,
    sql`update ${agentStates} set key_hash = ${keyHash} where reported_at is null
      and agent_id in (select a.id from ${agents} as a where a.enrollment = ${enrollment})
      and exists (select 1 from ${enrollmentTokens} as t where t.hash = ${hash} and t.machine_hash = ${machine})
      returning agent_id as id`,
    tx
      .update(enrollmentTokens)
      .set({ machineHash: machine })
      .where(sql`${enrollmentTokens.hash} = ${hash} and ${enrollmentTokens.machineHash} is null and ${known}`),
  ]);
  const [made, , again] = results.slice(locks.length) as { id: number }[][];
  const agent = made?.[0] ?? again?.[0];
  if (!agent) throw await refusalOf(deps, hash);
  deps.live.recount(token.userId);
  return { id: Number(agent.id), key };
};

/** The newest used tokens of each user are kept, so that a second machine with one is refused with token_used. */
const USED_KEPT = 20;
const SWEPT_AT_ONCE = 1000;

/**
 * Deletes tokens that expired a day ago, and of each user all but the newest used ones. A used token stays until the
 * first report of its server, because its machine may use it again until then. Returns whether there may be more.
 */
export const deleteExpiredTokens = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  await db.delete(enrollmentTokens).where(lt(enrollmentTokens.expiresAt, clock.now() - DAY));
  const rows = await db.rows<{ id: number; user_id: number; machine_hash: string }>(sql`
    select id, user_id, machine_hash from (
      select id, user_id, machine_hash, row_number() over (partition by user_id order by id desc) as place
      from ${enrollmentTokens} where machine_hash is not null) as used
    where place > ${USED_KEPT} order by id limit ${SWEPT_AT_ONCE}`);
  if (rows.length === 0) return false;
  const used = rows.map(({ id, user_id, machine_hash }) => ({
    id: Number(id),
    enrollment: enrollmentOf(Number(user_id), machine_hash),
  }));
  const unreported = await db
    .select({ enrollment: agents.enrollment })
    .from(agents)
    .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
    .where(
      and(
        isNull(agentStates.reportedAt),
        isOneOf(
          agents.enrollment,
          used.map(({ enrollment }) => enrollment),
        ),
      ),
    );
  const waiting = new Set(unreported.map(({ enrollment }) => enrollment));
  const ids = used.filter(({ enrollment }) => !waiting.has(enrollment)).map(({ id }) => id);
  if (ids.length > 0) await db.delete(enrollmentTokens).where(isOneOf(enrollmentTokens.id, ids));
  return ids.length === SWEPT_AT_ONCE;
};
