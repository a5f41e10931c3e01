import type { Static } from "@sinclair/typebox";
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import { hashSecret, randomSecret } from "../../core/secrets";
import type { Database, Queries, Statement } from "../../db/database";
import { madeBy, type Owner, ofUser, ownedBy, ownerOf, type Viewer } from "../../db/owner";
import { agentStates, agents, enrollmentTokens, teams, thresholds } from "../../db/schema";
import { isOneOf, lock, lockRows, lockRowsLightly } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import { isoTime } from "../../lib/time";
import { boolean, id, object, time } from "../../server/answers";
import { DAY } from "../../shared/limits";
import type { CountOwned } from "../accounts/owned";
import { requireRoom } from "../accounts/quotas/service";
import { changeStates } from "./ingest/states";
import type { RegisterBody } from "./model";

const TOKEN_LIFE = DAY;
const LISTED_TOKENS = 1000;

/**
 * Creates a token that enrolls one machine for this user within 24 hours, as the server with `agentId` if there is one. Only its
 * hash is stored.
 * @throws {AppError} quota_reached
 */
export const generateToken = async (deps: Deps, viewer: Viewer, agentId: number | null = null) => {
  const { db, clock } = deps;
  const token = randomSecret("wkt");
  const createdAt = clock.now();
  const expiresAt = createdAt + TOKEN_LIFE;
  const [made] = await db.transact(async (tx) => {
    await requireRoom({ ...deps, db: tx }, "enrollment_tokens", madeBy(viewer));
    return tx
      .insert(enrollmentTokens)
      .values({ hash: hashSecret(token), ...madeBy(viewer), createdAt, expiresAt, agentId })
      .returning({ id: enrollmentTokens.id });
  });
  return { id: (made as { id: number }).id, token, expiresAt };
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
  teamId: number,
): Promise<Static<typeof EnrollmentToken>[]> => {
  const rows = await db
    .select()
    .from(enrollmentTokens)
    .where(and(ownedBy(enrollmentTokens, teamId), gt(enrollmentTokens.expiresAt, clock.now())))
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
export const revokeToken = async ({ db }: Pick<Deps, "db">, teamId: number, id: number): Promise<void> => {
  const deleted = await db
    .delete(enrollmentTokens)
    .where(and(eq(enrollmentTokens.id, id), ownedBy(enrollmentTokens, teamId)))
    .returning({ id: enrollmentTokens.id });
  if (deleted.length === 0) throw notFound("Enrollment token");
};

/** A subquery for how many tokens of a user a machine may still use. */
export const countUsableTokens: CountOwned = (teamId, now) => sql`(select count(*) from ${enrollmentTokens}
  where ${ownedBy(enrollmentTokens, teamId)} and ${enrollmentTokens.machineHash} is null and ${enrollmentTokens.expiresAt} > ${now})`;

/** The statement that revokes the tokens that a user made for a team. */
export const revokeTokensOf = (tx: Queries, { teamId, userId }: Owner): Statement =>
  tx.delete(enrollmentTokens).where(and(ownedBy(enrollmentTokens, teamId), ofUser(enrollmentTokens, userId)));

/** Identifies a machine's server for each team. `machine` is the hash of its secret. */
const enrollmentOf = (teamId: number, machine: string): string => hashSecret(`${teamId} ${machine}`);

/** Runs a transaction that changes an agent's key, after its pending reports are written, which have the old one. */
const changeKey = <T>({ db }: Pick<Deps, "db">, enrollment: string, body: (tx: Database) => Promise<T>): Promise<T> => {
  const readIds = async () => {
    const rows = await db.select({ id: agents.id }).from(agents).where(eq(agents.enrollment, enrollment));
    return rows.map(({ id }) => id);
  };
  return changeStates({ db }, readIds, () => db.transact(body));
};

type NewServer = Pick<
  typeof agents.$inferInsert,
  "userId" | "teamId" | "enrollment" | "name" | "hostname" | "createdAt"
> &
  Partial<Pick<typeof agents.$inferInsert, "ipAddresses" | "os" | "version" | "plan">>;

/** Creates a server that has not reported yet. Returns its id. */
const insertServer = async (tx: Database, server: NewServer, keyHash: string): Promise<number> => {
  const { name, ipAddresses = [], os = "", version = "" } = server;
  const [created] = await tx
    .insert(agents)
    .values({ ...server, nameKey: sortKey(name), ipAddresses, os, version })
    .returning({ id: agents.id });
  const agentId = (created as { id: number }).id;
  await tx.insert(agentStates).values({ agentId, keyHash, status: "connecting" });
  return agentId;
};

/**
 * Creates servers before their machines enroll, which they do with tokens of `issueTokens`. Returns their ids.
 * @throws {AppError} quota_reached
 */
export const createServers = async (
  { deps, owner }: { deps: Deps; owner: Owner },
  servers: readonly Pick<NewServer, "name" | "hostname" | "plan">[],
): Promise<number[]> => {
  if (servers.length === 0) return [];
  await requireRoom(deps, "servers", owner, servers.length);
  const ids: number[] = [];
  for (const server of servers) {
    // Until its machine enrolls, it has an identity and a key that no machine has.
    const [enrollment, keyHash] = [hashSecret(randomSecret("wka")), hashSecret(randomSecret("wka"))];
    const row = { ...server, ...owner, enrollment, createdAt: deps.clock.now() };
    ids.push(await insertServer(deps.db, row, keyHash));
  }
  return ids;
};

/** The servers among these that have never reported. */
export const readUnreported = async ({ db }: Pick<Deps, "db">, ids: readonly number[]): Promise<Set<number>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: agentStates.agentId })
    .from(agentStates)
    .where(and(isNull(agentStates.firstReportedAt), isOneOf(agentStates.agentId, ids)));
  return new Set(rows.map(({ id }) => id));
};

/** Creates a token for each of these servers, in place of an unused one, up to the user's quota. */
export const issueTokens = async (
  deps: Deps,
  viewer: Viewer,
  agentIds: readonly number[],
): Promise<Map<number, { token: string; expiresAt: number }>> => {
  const issued = new Map<number, { token: string; expiresAt: number }>();
  if (agentIds.length === 0) return issued;
  const unused = and(ownedBy(enrollmentTokens, viewer.teamId), isNull(enrollmentTokens.machineHash));
  await deps.db.delete(enrollmentTokens).where(and(unused, isOneOf(enrollmentTokens.agentId, agentIds)));
  for (const agentId of agentIds) {
    try {
      issued.set(agentId, await generateToken(deps, viewer, agentId));
    } catch (error) {
      if (!(error instanceof AppError && error.code === "quota_reached")) throw error;
      break;
    }
  }
  return issued;
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
  const ofHash = eq(enrollmentTokens.hash, hash);
  const readToken = async (tx: Database) => {
    const [token] = await tx.select().from(enrollmentTokens).where(ofHash);
    if (!token) throw new AppError("token_invalid");
    if (token.expiresAt <= now) throw new AppError("token_expired");
    return token;
  };
  const owner = ownerOf(await readToken(db));
  const key = randomSecret("wka");
  const keyHash = hashSecret(key);
  const enrollment = enrollmentOf(owner.teamId, machine);
  const id = await changeKey(deps, enrollment, async (tx) => {
    await lock(tx, [
      ...lockRowsLightly(teams, teams.id, eq(teams.id, owner.teamId)),
      ...lockRows(enrollmentTokens, enrollmentTokens.id, ofHash),
    ]);
    const token = await readToken(tx);
    const [enrolledAgent] = await tx
      .select({ id: agents.id, reportedAt: agentStates.reportedAt })
      .from(agents)
      .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
      .where(eq(agents.enrollment, enrollment));
    // The answer may have been lost, so the machine may use its token again until its first report.
    const isRepeated = token.machineHash === machine && enrolledAgent?.reportedAt === null;
    if (token.machineHash !== null && !isRepeated) throw new AppError("token_used");
    if (token.machineHash === null) await tx.update(enrollmentTokens).set({ machineHash: machine }).where(ofHash);
    if (enrolledAgent) {
      const changed = { keyHash, reportedAt: null };
      await tx.update(agents).set({ hostname: body.hostname }).where(eq(agents.id, enrolledAgent.id));
      await tx.update(agentStates).set(changed).where(eq(agentStates.agentId, enrolledAgent.id));
      return enrolledAgent.id;
    }
    if (token.agentId !== null) {
      const { hostname, ip_addresses: ipAddresses, os, version } = body;
      const ofAgent = eq(agents.id, token.agentId);
      await tx.update(agents).set({ enrollment, hostname, ipAddresses, os, version }).where(ofAgent);
      await tx.update(agentStates).set({ keyHash }).where(eq(agentStates.agentId, token.agentId));
      return token.agentId;
    }
    // A machine that enrolls again keeps its server, also above the quota.
    await requireRoom({ ...deps, db: tx }, "servers", owner);
    const name = body.name?.trim() || body.hostname;
    const { hostname, ip_addresses: ipAddresses, os, version } = body;
    return insertServer(
      tx,
      { ...owner, enrollment, name, hostname, ipAddresses, os, version, createdAt: now },
      keyHash,
    );
  });
  deps.live.recount(owner.teamId);
  return { id, key };
};

/** The newest used tokens of each team are kept, so that a second machine with one is refused with token_used. */
const USED_KEPT = 20;
const SWEPT_AT_ONCE = 1000;

/**
 * Deletes tokens that expired a day ago, and of each team all but the newest used ones. A used token stays until the
 * first report of its server, because its machine may use it again until then. Returns whether there may be more.
 */
export const deleteExpiredTokens = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  await db.delete(enrollmentTokens).where(lt(enrollmentTokens.expiresAt, clock.now() - DAY));
  const rows = await db.rows<{ id: number; team_id: number; machine_hash: string }>(sql`
    select id, team_id, machine_hash from (
      select id, team_id, machine_hash, row_number() over (partition by team_id order by id desc) as place
      from ${enrollmentTokens} where machine_hash is not null) as used
    where place > ${USED_KEPT} order by id limit ${SWEPT_AT_ONCE}`);
  if (rows.length === 0) return false;
  const used = rows.map(({ id, team_id, machine_hash }) => ({
    id: Number(id),
    enrollment: enrollmentOf(Number(team_id), machine_hash),
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

/**
 * The statements that move a server to another owner. Its agent goes on reporting with its key, but a machine that enrolls again
 * gets a new server: it is identified for each team. Thresholds of its rule count no more, like the rule.
 */
export const moveServerRows = (tx: Queries, id: number, owner: Owner): Statement[] => [
  ...lockRows(agentStates, agentStates.agentId, eq(agentStates.agentId, id)),
  tx.delete(enrollmentTokens).where(eq(enrollmentTokens.agentId, id)),
  tx
    .update(agents)
    .set({ ...owner, enrollment: hashSecret(randomSecret("wka")) })
    .where(eq(agents.id, id)),
  tx.update(thresholds).set(owner).where(eq(thresholds.agentId, id)),
  tx
    .update(thresholds)
    .set({ enabled: null })
    .where(and(eq(thresholds.agentId, id), isNull(thresholds.minutes))),
];
