/** Machines that enroll, and servers that wait for theirs. */
import { and, eq, isNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { hashSecret, randomSecret } from "../../../core/secrets";
import type { Database, Queries, Statement } from "../../../db/database";
import { type Owner, ownerOf } from "../../../db/owner";
import { agentStates, agents, enrolledMachines, enrollmentTokens, teams, thresholds } from "../../../db/schema";
import { isOneOf, lock, lockRows, lockRowsLightly } from "../../../db/sql";
import { sortKey } from "../../../lib/sort-key";
import { type Author, recordChange } from "../../accounts/audit/record";
import { requireRoom } from "../../accounts/quotas/service";
import { changeStates } from "../ingest/states";
import type { RegisterBody } from "../model";

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

type Enrolling = {
  token: typeof enrollmentTokens.$inferSelect;
  body: RegisterBody;
  enrollment: string;
  keyHash: string;
  /** The server that the machine has already. */
  serverId: number | undefined;
};

/**
 * Lets a machine report as its own server, as an imported server that waits for it, or as a new server. Returns its id.
 * @throws {AppError} quota_reached
 */
const assignServer = async (deps: Deps, enrolling: Enrolling, author: Author): Promise<number> => {
  const { token, body, enrollment, keyHash, serverId } = enrolling;
  const { db: tx, clock } = deps;
  const { hostname, ip_addresses: ipAddresses, os, version } = body;
  if (serverId !== undefined) {
    await tx.update(agents).set({ hostname }).where(eq(agents.id, serverId));
    await tx.update(agentStates).set({ keyHash, reportedAt: null }).where(eq(agentStates.agentId, serverId));
    return serverId;
  }
  if (token.agentId !== null) {
    const changed = { enrollment, hostname, ipAddresses, os, version };
    await tx.update(agents).set(changed).where(eq(agents.id, token.agentId));
    await tx.update(agentStates).set({ keyHash }).where(eq(agentStates.agentId, token.agentId));
    return token.agentId;
  }
  // A machine that enrolls again keeps its server, also above the quota.
  await requireRoom(deps, "servers", ownerOf(token));
  const name = body.name?.trim() || hostname;
  const server = { ...ownerOf(token), enrollment, name, hostname, ipAddresses, os, version, createdAt: clock.now() };
  const id = await insertServer(tx, server, keyHash);
  const object = { type: "agent" as const, id, name };
  await recordChange(deps, author, { action: "created", object, teamId: token.teamId });
  return id;
};

/**
 * Enrolls a machine with a token: creates a server and a report key. `machine_id` is a secret that the machine's
 * agent generated: a machine of this team keeps its server and gets a new key, which replaces the old one. Each machine
 * is one use of the token, which it may use again until its first report or the deletion of its server.
 * @throws {AppError} token_invalid, token_expired, token_used, quota_reached
 */
export const enroll = async (deps: Deps, body: RegisterBody, author: Author): Promise<{ id: number; key: string }> => {
  const { db, clock } = deps;
  const [hash, machineHash, now] = [hashSecret(body.token), hashSecret(body.machine_id), clock.now()];
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
  const enrollment = enrollmentOf(owner.teamId, machineHash);
  const id = await changeKey(deps, enrollment, async (tx) => {
    await lock(tx, [
      ...lockRowsLightly(teams, teams.id, eq(teams.id, owner.teamId)),
      ...lockRows(enrollmentTokens, enrollmentTokens.id, ofHash),
    ]);
    const token = await readToken(tx);
    const [server] = await tx
      .select({ id: agents.id, reportedAt: agentStates.reportedAt })
      .from(agents)
      .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
      .where(eq(agents.enrollment, enrollment));
    const machines = await tx
      .select({ hash: enrolledMachines.machineHash })
      .from(enrolledMachines)
      .where(eq(enrolledMachines.tokenId, token.id));
    const isKnown = machines.some(({ hash }) => hash === machineHash);
    // The answer may have been lost, so the machine may use its token again until its first report.
    const isAllowed = isKnown ? server?.reportedAt === null : machines.length < token.uses;
    if (!isAllowed) throw new AppError("token_used");
    const enrolling = { token, body, enrollment, keyHash, serverId: server?.id };
    const agentId = await assignServer({ ...deps, db: tx }, enrolling, author);
    if (!isKnown)
      await tx.insert(enrolledMachines).values({ tokenId: token.id, machineHash, agentId, enrolledAt: now });
    return agentId;
  });
  deps.live.recount(owner.teamId);
  return { id, key };
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
