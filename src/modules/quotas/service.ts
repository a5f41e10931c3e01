import type { Static } from "@sinclair/typebox";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, quotaReached } from "../../core/errors";
import type { Viewer } from "../../db/owner";
import { agents, apiKeys, channels, enrollmentTokens, monitors, users } from "../../db/schema";
import { lockRowsLightly } from "../../db/sql";
import { integer, nullable, object } from "../../server/answers";
import { QUOTA_NAMES, type QuotaName } from "../../shared/limits";

type Settings = Pick<Deps, "config" | "clock">;

const TABLES = { monitors, servers: agents, channels, keys: apiKeys, enrollment_tokens: enrollmentTokens } as const;

/** The limit of one quota for users of role `user`. */
export const limitOf = ({ config: { quotas } }: Pick<Settings, "config">, name: QuotaName): number =>
  name === "enrollment_tokens" ? quotas.enrollmentTokens : quotas[name];

/** How many a user has; `owner` is an id or an SQL expression of one. Used and expired enrollment tokens do not count. */
const countOf = ({ clock }: Pick<Settings, "clock">, name: QuotaName, owner: number | SQL): SQL => {
  const usable =
    name === "enrollment_tokens"
      ? sql` and counted.machine_hash is null and counted.expires_at > ${clock.now()}`
      : sql``;
  return sql`(select count(*) from ${TABLES[name]} as counted where counted.user_id = ${owner}${usable})`;
};

/**
 * The condition that a user exists and may have one more; administrators always may. It holds until the end of the
 * transaction if `lockQuotas` came first in it.
 */
export const hasRoom = (settings: Settings, name: QuotaName, owner: number | SQL): SQL =>
  sql`exists (select 1 from ${users} as owner where owner.id = ${owner}
    and (owner.role = 'admin' or ${countOf(settings, name, sql.raw("owner.id"))} < ${limitOf(settings, name)}))`;

/** Locks a user's quotas at the start of a transaction, so that concurrent inserts run one after another. */
export const lockQuotas = (owner: number | SQL): SQL[] => lockRowsLightly(users, users.id, sql`${users.id} = ${owner}`);

/** Why nothing was inserted where `hasRoom` did not hold: the quota is reached, or the user was deleted. */
export const noRoom = async (deps: Pick<Deps, "config" | "db">, name: QuotaName, userId: number): Promise<AppError> =>
  (await deps.db.$count(users, eq(users.id, userId))) === 0
    ? new AppError("unauthorized")
    : quotaReached(name, limitOf(deps, name));

const quota = (limit: number, used: number) =>
  object({ limit: integer("The limit.", limit), used: integer("How many exist.", used) });

/** A user's quotas with their usage; null for an administrator, who has none. */
export const Quotas = nullable(
  object({
    monitors: quota(200, 3),
    servers: quota(50, 1),
    channels: quota(20, 2),
    keys: quota(20, 1),
    enrollment_tokens: quota(10, 0),
  } satisfies Record<QuotaName, unknown>),
);

/** Reads a user's quotas and their usage. */
export const readQuotas = async (deps: Settings & Pick<Deps, "db">, viewer: Viewer): Promise<Static<typeof Quotas>> => {
  if (viewer.role === "admin") return null;
  const counts = QUOTA_NAMES.map((name) => sql`${countOf(deps, name, viewer.id)} as ${sql.identifier(name)}`);
  const [row] = await deps.db.rows(sql`select ${sql.join(counts, sql`, `)}`);
  const read = (name: QuotaName) => ({ limit: limitOf(deps, name), used: Number(row?.[name]) });
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, read(name)])) as Static<typeof Quotas>;
};
