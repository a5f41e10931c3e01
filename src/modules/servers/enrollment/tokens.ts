/** The enrollment tokens of machines. */
import type { Static } from "@sinclair/typebox";
import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { hashSecret, randomSecret } from "../../../core/secrets";
import type { Queries, Statement } from "../../../db/database";
import { madeBy, type Owner, ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { agentStates, agents, enrolledMachines, enrollmentTokens } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { boolean, id, integer, list, object, text, time } from "../../../server/answers";
import { ENROLLMENT_LIMITS } from "../../../shared/agents/enrollment";
import { DAY } from "../../../shared/limits";
import { recordChange } from "../../accounts/audit/record";
import type { CountOwned } from "../../accounts/owned";
import { requireRoom } from "../../accounts/quotas/service";

const LISTED = 1000;

/** When a new token expires. @throws {AppError} validation */
export const parseExpiry = ({ clock }: Pick<Deps, "clock">, sent: string | undefined): number => {
  const now = clock.now();
  const expiresAt = sent === undefined ? now + DAY : Date.parse(sent);
  if (expiresAt > now && expiresAt <= now + ENROLLMENT_LIMITS.days * DAY) return expiresAt;
  const message = `expires_at: expected a time within ${ENROLLMENT_LIMITS.days} days from now`;
  throw validation([{ path: "expires_at", message }]);
};

type Wanted = {
  uses?: number;
  expiresAt?: number;
  /** The server that its machine becomes; enrolling creates one when it is left out. */
  agentId?: number;
};

/**
 * Creates a token that enrolls machines for a team: one within 24 hours by default. Only its hash is stored.
 * @throws {AppError} quota_reached
 */
export const generateToken = async (deps: Deps, viewer: Viewer, wanted: Wanted = {}) => {
  const { db, clock } = deps;
  const token = randomSecret("wkt");
  const createdAt = clock.now();
  const { uses = 1, expiresAt = createdAt + DAY, agentId = null } = wanted;
  const id = await db.transact(async (tx) => {
    await requireRoom({ ...deps, db: tx }, "enrollment_tokens", madeBy(viewer));
    const [made] = await tx
      .insert(enrollmentTokens)
      .values({ hash: hashSecret(token), ...madeBy(viewer), createdAt, expiresAt, uses, agentId })
      .returning({ id: enrollmentTokens.id });
    const { id } = made as { id: number };
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "created", object: { type: "enrollment_token", id, name: "" }, teamId: viewer.teamId },
      after: { uses, expiresAt: isoTime(expiresAt) },
      event: { kind: "enrollment_token_created", detail: uses > 1 ? `× ${uses}` : "" },
    });
    return id;
  });
  return { id, token, uses, expiresAt };
};

export const EnrollmentToken = object({
  id: id("The token's id.", 3),
  created_at: time("When it was created."),
  expires_at: time("When it expires.", "2026-01-16T12:20:00.000Z"),
  used: boolean("Whether a machine has enrolled with it.", true),
  uses: integer("How many machines may enroll with it.", 50),
  uses_left: integer("How many more machines may.", 49),
  servers: list(
    object({
      id: id("The server's id.", 5),
      name: text("Its name.", "db-1"),
      enrolled_at: time("When its machine enrolled."),
    }),
    "The servers whose machines enrolled with it and that were not deleted, newest first; the newest 1,000 of all tokens.",
  ),
});

/** A team's tokens that have not expired, newest first, with the servers that enrolled with each. */
export const listTokens = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  teamId: number,
): Promise<Static<typeof EnrollmentToken>[]> => {
  const tokens = await db
    .select()
    .from(enrollmentTokens)
    .where(and(ownedBy(enrollmentTokens, teamId), gt(enrollmentTokens.expiresAt, clock.now())))
    .orderBy(desc(enrollmentTokens.id))
    .limit(LISTED);
  if (tokens.length === 0) return [];
  const { tokenId, enrolledAt } = enrolledMachines;
  const ofTokens = isOneOf(
    tokenId,
    tokens.map(({ id }) => id),
  );
  const counts = await db.select({ tokenId, used: count() }).from(enrolledMachines).where(ofTokens).groupBy(tokenId);
  const servers = await db
    .select({ tokenId, id: agents.id, name: agents.name, enrolledAt })
    .from(enrolledMachines)
    .innerJoin(agents, eq(agents.id, enrolledMachines.agentId))
    .where(ofTokens)
    .orderBy(desc(enrolledAt), desc(agents.id))
    .limit(LISTED);
  const usedOf = new Map(counts.map(({ tokenId, used }) => [tokenId, used]));
  const serversOf = Map.groupBy(servers, ({ tokenId }) => tokenId);
  return tokens.map(({ id, createdAt, expiresAt, uses }) => {
    const used = usedOf.get(id) ?? 0;
    return {
      id,
      created_at: isoTime(createdAt),
      expires_at: isoTime(expiresAt),
      used: used > 0,
      uses,
      uses_left: uses - used,
      servers: (serversOf.get(id) ?? []).map(({ id, name, enrolledAt }) => ({
        id,
        name,
        enrolled_at: isoTime(enrolledAt),
      })),
    };
  });
};

/**
 * Revokes a token of a team. Servers that enrolled with it stay.
 * @throws {AppError} not_found, also for another team's token
 */
export const revokeToken = (deps: Pick<Deps, "db" | "clock" | "log">, viewer: Viewer, id: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [deleted] = await tx
      .delete(enrollmentTokens)
      .where(and(eq(enrollmentTokens.id, id), ownedBy(enrollmentTokens, viewer.teamId)))
      .returning({ teamId: enrollmentTokens.teamId });
    if (!deleted) throw notFound("Enrollment token");
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "deleted", object: { type: "enrollment_token", id, name: "" }, ...deleted },
      event: { kind: "enrollment_token_deleted", detail: String(id) },
    });
  });

/** How many machines have enrolled with a token of the outer query. */
const usedTimes = sql`(select count(*) from ${enrolledMachines} where ${eq(enrolledMachines.tokenId, enrollmentTokens.id)})`;

/** A subquery for how many tokens of a team machines may still use. */
export const countUsableTokens: CountOwned = (teamId, now) => sql`(select count(*) from ${enrollmentTokens}
  where ${ownedBy(enrollmentTokens, teamId)} and ${enrollmentTokens.expiresAt} > ${now} and ${usedTimes} < ${enrollmentTokens.uses})`;

/** The statement that revokes the tokens that a user made for a team. */
export const revokeTokensOf = (tx: Queries, { teamId, userId }: Owner): Statement =>
  tx.delete(enrollmentTokens).where(and(ownedBy(enrollmentTokens, teamId), ofUser(enrollmentTokens, userId)));

/** Creates a token for each of these servers, in place of an unused one, up to the team's quota. */
export const issueTokens = async (
  deps: Deps,
  viewer: Viewer,
  agentIds: readonly number[],
): Promise<Map<number, { token: string; expiresAt: number }>> => {
  const issued = new Map<number, { token: string; expiresAt: number }>();
  if (agentIds.length === 0) return issued;
  const unused = and(ownedBy(enrollmentTokens, viewer.teamId), sql`${usedTimes} = 0`);
  await deps.db.delete(enrollmentTokens).where(and(unused, isOneOf(enrollmentTokens.agentId, agentIds)));
  for (const agentId of agentIds) {
    try {
      issued.set(agentId, await generateToken(deps, viewer, { agentId }));
    } catch (error) {
      if (!(error instanceof AppError && error.code === "quota_reached")) throw error;
      break;
    }
  }
  return issued;
};

/** The newest used tokens of each team are kept, so that another machine with one is refused with token_used. */
const USED_KEPT = 20;
const SWEPT_AT_ONCE = 1000;

/**
 * Deletes tokens that expired a day ago, and of each team all but the newest without a use left. These stay until all
 * their servers have reported, because the machines may use it again until then. Returns whether there may be more.
 */
export const deleteExpiredTokens = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  await db.delete(enrollmentTokens).where(lt(enrollmentTokens.expiresAt, clock.now() - DAY));
  const rows = await db.rows<{ id: number }>(sql`
    select id from (
      select id, row_number() over (partition by team_id order by id desc) as place
      from ${enrollmentTokens} where ${usedTimes} >= ${enrollmentTokens.uses}) as used
    where place > ${USED_KEPT} and not exists (
      select 1 from ${enrolledMachines} join ${agentStates} on ${eq(agentStates.agentId, enrolledMachines.agentId)}
      where ${enrolledMachines.tokenId} = used.id and ${agentStates.reportedAt} is null)
    order by id limit ${SWEPT_AT_ONCE}`);
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length > 0) await db.delete(enrollmentTokens).where(isOneOf(enrollmentTokens.id, ids));
  return ids.length === SWEPT_AT_ONCE;
};
