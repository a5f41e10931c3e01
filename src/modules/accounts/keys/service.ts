import type { Static } from "@sinclair/typebox";
import { and, desc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import { hashSecret, randomSecret } from "../../../core/secrets";
import { can, madeBy, ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { apiKeys, members, users } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import { STORED_SCOPES, type StoredScope } from "../../../shared/accounts/key-scopes";
import { DAY, LIMITS, MINUTE } from "../../../shared/limits";
import { recordChange } from "../audit/record";
import { requireRoom } from "../quotas/service";
import { inTeam, type Member, memberColumns, withTeams } from "../teams/service";
import { findTeam } from "../teams/teams";

type Store = Pick<Deps, "db" | "clock">;
type ApiKey = typeof apiKeys.$inferSelect;

/** The scopes of a stored key. */
const parseScopes = (stored: string): StoredScope[] => stored.split(" ") as StoredScope[];

const PREFIX = "wk";

/** Whether a secret has the prefix of an API key. Session tokens never have it. */
export const isApiKey = (secret: string): boolean => secret.startsWith(`${PREFIX}_`);

const keyFields = {
  id: id("The key's id.", 4),
  name: text("What it is for.", "Backup script"),
  scope: text("Its scopes in one text, as in OAuth: `read`, `full`, or several with spaces between.", "read"),
  scopes: list(
    oneOf("A scope.", STORED_SCOPES),
    "What it may do. `write` has all other scopes; `full`, of a key that was made with `scope`, has neither `enroll` nor `channels`.",
  ),
  team_id: nullable(id("The team that it is limited to; null for all teams of its user.", 2)),
  created_at: time("When it was created."),
  expires_at: nullable(time("When it expires; null for never.")),
};
const listedFields = {
  ...keyFields,
  last_used_at: nullable(time("When it was last used, to the minute; null before its first use.")),
};
export const TeamApiKey = component("TeamApiKey", {
  ...listedFields,
  username: text("The user who made it, and whose role it has.", "carol"),
});
/** A key in the answer that creates it. */
export const NewApiKey = object(keyFields);
export const ListedApiKey = component("ApiKey", listedFields);

const present = ({
  id,
  name,
  scope,
  teamId,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Omit<ApiKey, "userId" | "hash">): Static<typeof ListedApiKey> => ({
  id,
  name,
  scope,
  scopes: parseScopes(scope),
  team_id: teamId,
  created_at: isoTime(createdAt),
  expires_at: isoTimeOrNull(expiresAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});

type NewKey = {
  name: string;
  scopes: readonly StoredScope[];
  expires_in_days?: number | null;
  team_id?: number | null;
};

/**
 * Creates an API key, for one of its user's teams or for all of them. The key is in the answer and not stored.
 * @throws {AppError} quota_reached
 */
export const createKey = async (
  deps: Store & Pick<Deps, "config" | "log">,
  owner: Pick<Viewer, "id" | "teamId" | "origin">,
  settings: NewKey,
) => {
  const { db, clock } = deps;
  const key = randomSecret(PREFIX);
  const [name, createdAt] = [settings.name.trim(), clock.now()];
  const expiresAt = settings.expires_in_days ? createdAt + settings.expires_in_days * DAY : null;
  const values = {
    userId: owner.id,
    teamId: settings.team_id ?? null,
    name,
    scope: settings.scopes.join(" "),
    hash: hashSecret(key),
    createdAt,
    expiresAt,
    lastUsedAt: null,
  };
  const row = await db.transact(async (tx) => {
    await requireRoom({ ...deps, db: tx }, "keys", madeBy(owner));
    const [made] = await tx.insert(apiKeys).values(values).returning();
    const { id, scope } = present(made as ApiKey);
    await recordChange({ ...deps, db: tx }, owner, {
      ...{ action: "created", object: { type: "key", id, name }, teamId: values.teamId ?? owner.teamId },
      after: { scope, expiresAt: isoTimeOrNull(expiresAt) },
      event: { kind: "key_created", detail: `${name} (${scope})` },
    });
    return made as ApiKey;
  });
  const { last_used_at: _, ...data } = present(row);
  return { key, data };
};

/** A user's keys without their secrets, the newest first. */
export const listKeys = async ({ db }: Pick<Store, "db">, userId: number) =>
  (await db.select().from(apiKeys).where(ofUser(apiKeys, userId)).orderBy(desc(apiKeys.id)).limit(LIMITS.listed)).map(
    present,
  );

/**
 * The keys that are limited to a team, with the names of their users, for its owners.
 * @throws {AppError} not_found, role_insufficient
 */
export const listTeamKeys = async ({ db }: Pick<Store, "db">, viewer: Viewer, teamId: number) => {
  const { role } = await findTeam({ db }, viewer, teamId);
  if (role !== "owner") throw new AppError("role_insufficient");
  const rows = await db
    .select({ key: apiKeys, username: users.username })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(ownedBy(apiKeys, teamId))
    .orderBy(desc(apiKeys.id))
    .limit(LIMITS.listed);
  return rows.map(({ key, username }) => ({ ...present(key), username }));
};

/**
 * Revokes a key of the viewer, or one that is limited to a team that they own.
 * @throws {AppError} not_found for others
 */
export const deleteKey = (deps: Store & Pick<Deps, "log">, viewer: Viewer, id: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
    const manages = key && key.teamId !== null && can(viewer, "manage", { teamId: key.teamId });
    if (!key || (key.userId !== viewer.id && !manages)) throw notFound("API key");
    await tx.delete(apiKeys).where(eq(apiKeys.id, id));
    const { name, teamId } = key;
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "deleted", object: { type: "key", id, name }, teamId: teamId ?? viewer.teamId },
      event: { kind: "key_deleted", detail: name },
    });
  });

/**
 * The user of a key in the teams that it is for. A key of one team has no rights of an administrator, and is invalid while its user
 * is not in that team.
 */
const userOfKey = (member: Member, teamId: number | null): Member | undefined => {
  if (teamId === null) return member;
  if (!member.teams.has(teamId)) return undefined;
  return { ...inTeam({ ...member, seesAll: false }, teamId), role: "user", limited: true };
};

/** The user, the name and the scopes of an API key, or undefined. Its use is recorded at most once a minute. */
export const findByKey = async (deps: Pick<Deps, "db" | "clock" | "config" | "log">, key: string) => {
  const { db, clock, log } = deps;
  const rows = await db
    .select({ ...memberColumns, key: apiKeys })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(members, eq(members.userId, users.id))
    .where(and(eq(apiKeys.hash, hashSecret(key)), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock.now()))));
  const [row] = rows;
  const user = row && userOfKey(withTeams(deps, row.user, rows), row.key.teamId);
  if (!user) return undefined;
  const { id, name, scope, lastUsedAt } = row.key;
  const now = clock.now();
  const due = sql`coalesce(${apiKeys.lastUsedAt}, 0) <= ${now - MINUTE}`;
  if ((lastUsedAt ?? 0) <= now - MINUTE) {
    // Not awaited, so that the request is not delayed.
    void Promise.resolve(
      db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(and(eq(apiKeys.id, id), due)),
    ).catch((error) => log.warn("a key's last use was not written", { error: describeError(error) }));
  }
  return { id, name, scopes: parseScopes(scope), user };
};

/** How long an expired key stays in the list, so that its owner sees why a program stopped working. */
const EXPIRED_SHOWN = 30 * DAY;

/** Purges keys that expired 30 days ago. */
export const purgeKeys = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(apiKeys).where(lte(apiKeys.expiresAt, clock.now() - EXPIRED_SHOWN));
};
