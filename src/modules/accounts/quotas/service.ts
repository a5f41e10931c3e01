import type { Static } from "@sinclair/typebox";
import { type Column, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, quotaReached } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, type Owner, ofUser, type Viewer } from "../../../db/owner";
import { apiKeys, teams, users } from "../../../db/schema";
import { lock, lockRowsLightly } from "../../../db/sql";
import { integer, nullable, object } from "../../../server/answers";
import { QUOTA_NAMES, type QuotaName } from "../../../shared/limits";
import { owned } from "../owned";

type Settings = Pick<Deps, "config" | "clock">;

/** The limit of one quota for users of role `user`. */
const limitOf = ({ config: { quotas } }: Pick<Settings, "config">, name: QuotaName): number =>
  name === "enrollment_tokens" ? quotas.enrollmentTokens : quotas[name];

type OwnerColumns = { userId: number | Column; teamId: number | Column };

/** A subquery for how many a team has; keys are a user's own. */
const countOf = ({ clock }: Pick<Settings, "clock">, name: QuotaName, { userId, teamId }: OwnerColumns): SQL =>
  name === "keys"
    ? sql`(select count(*) from ${apiKeys} where ${ofUser(apiKeys, userId)})`
    : owned()[name].count(teamId, clock.now());

/**
 * Locks a team within a transaction, so that transactions that count and add what it owns run one after another.
 * Returns the role of the user who makes something for it.
 * @throws {AppError} unauthorized when the user was deleted
 */
export const lockOwner = async (tx: Database, { userId, teamId }: Owner): Promise<Viewer["role"]> => {
  await lock(tx, lockRowsLightly(teams, teams.id, eq(teams.id, teamId)));
  const [owner] = await tx.select({ role: users.role }).from(users).where(eq(users.id, userId));
  if (!owner) throw new AppError("unauthorized");
  return owner.role;
};

/**
 * Asserts within a transaction, until it ends, that a user may make `count` more for a team. Administrators always may.
 * @throws {AppError} quota_reached, unauthorized
 */
export const requireRoom = async (
  { db: tx, ...settings }: Settings & Pick<Deps, "db">,
  name: QuotaName,
  owner: Owner,
  count = 1,
): Promise<void> => {
  if ((await lockOwner(tx, owner)) === "admin") return;
  const [row] = await tx.rows(sql`select ${countOf(settings, name, owner)} as used`);
  const limit = limitOf(settings, name);
  if (Number(row?.used) + count > limit) throw quotaReached(name, limit);
};

const quota = (limit: number, used: number) =>
  object({ limit: integer("The limit.", limit), used: integer("How many exist.", used) });

/** The quotas of a team with their usage; null for administrators, who are unlimited. */
export const Quotas = nullable(
  object({
    monitors: quota(200, 3),
    servers: quota(50, 1),
    channels: quota(20, 2),
    keys: quota(20, 1),
    enrollment_tokens: quota(10, 0),
  } satisfies Record<QuotaName, unknown>),
);

/** Reads the quotas of the team that a call is about, and their usage. */
export const readQuotas = async (deps: Settings & Pick<Deps, "db">, viewer: Viewer): Promise<Static<typeof Quotas>> => {
  if (viewer.role === "admin") return null;
  const counts = QUOTA_NAMES.map((name) => sql`${countOf(deps, name, madeBy(viewer))} as ${sql.identifier(name)}`);
  const [row] = await deps.db.rows(sql`select ${sql.join(counts, sql`, `)}`);
  const read = (name: QuotaName) => ({ limit: limitOf(deps, name), used: Number(row?.[name]) });
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, read(name)])) as Static<typeof Quotas>;
};

/** Users whose use is read at once. */
const MAX_USERS = 1000;

/** The use of each quota by the personal teams of users who have quotas: the user with the most, and how many are at the limit. */
export const readQuotaUse = async (deps: Settings & Pick<Deps, "db">) => {
  const counts = QUOTA_NAMES.map(
    (name) => sql`${countOf(deps, name, { userId: users.id, teamId: users.teamId })} as ${sql.identifier(name)}`,
  );
  const rows = await deps.db.rows(sql`select ${users.username}, ${sql.join(counts, sql`, `)} from ${users}
    where ${eq(users.role, "user")} order by ${users.id} limit ${MAX_USERS}`);
  return QUOTA_NAMES.map((name) => {
    const limit = limitOf(deps, name);
    const [most] = rows.toSorted((a, b) => Number(b[name]) - Number(a[name]));
    const used = Number(most?.[name] ?? 0);
    return {
      name,
      limit,
      most: used,
      username: used > 0 ? String(most?.username) : null,
      full: rows.filter((row) => Number(row[name]) >= limit).length,
    };
  });
};
