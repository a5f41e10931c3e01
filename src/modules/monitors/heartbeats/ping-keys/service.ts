/** Ping keys, as healthchecks has one for each project: /ping/KEY/SLUG reaches the heartbeat of a team with this slug. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { AppError, notFound } from "../../../../core/errors";
import { madeBy, type Owner, ownedBy, ownerOf, type Viewer } from "../../../../db/owner";
import { pingKeys } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { isoTime } from "../../../../lib/time";
import { component, id, text, time } from "../../../../server/answers";
import { LIMITS } from "../../../../shared/limits";
import { recordChange } from "../../../accounts/audit/record";
import { lockOwner } from "../../../accounts/quotas/service";

type Row = typeof pingKeys.$inferSelect;

export const PingKey = component("PingKey", {
  id: id("The key's id.", 4),
  key: text("The key itself.", "Jx0Kq2mWv8sT1aBcD4eF5g"),
  created_at: time("When it was created."),
});

const present = ({ id, key, createdAt }: Row): Static<typeof PingKey> => ({ id, key, created_at: isoTime(createdAt) });

/** 128 random bits. */
const randomKey = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");

/** A key without most of it, to be told apart in a log. */
export const shortened = (key: string): string => `${key.slice(0, 4)}…`;

/**
 * Creates a ping key of a team, by default a random one. A key of the team, for example from another product, stays as it is.
 * @throws {AppError} ping_key_taken, too_many_ping_keys
 */
export const createPingKey = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer,
  key = randomKey(),
): Promise<Static<typeof PingKey>> =>
  deps.db.transact(async (tx) => {
    const owner = madeBy(viewer);
    await lockOwner(tx, owner);
    const [existing] = await tx.select().from(pingKeys).where(eq(pingKeys.key, key));
    if (existing && existing.teamId !== owner.teamId) throw new AppError("ping_key_taken");
    if (existing) return present(existing);
    if ((await tx.$count(pingKeys, ownedBy(pingKeys, owner.teamId))) >= LIMITS.pingKeys)
      throw new AppError("too_many_ping_keys", { limit: LIMITS.pingKeys });
    const values = { ...owner, key, createdAt: deps.clock.now() };
    const [row] = await tx.insert(pingKeys).values(values).onConflictDoNothing().returning();
    // Another team has just created it.
    if (!row) throw new AppError("ping_key_taken");
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "created", object: objectOf(row), teamId: row.teamId },
      event: { kind: "key_created", detail: `${shortened(key)} (ping key)` },
    });
    return present(row);
  });

/** A ping key in the log of changes. */
const objectOf = ({ id, key }: Row) => ({ type: "ping_key" as const, id, name: shortened(key) });

/** A team's ping keys, the oldest first. */
export const listPingKeys = async ({ db }: Pick<Deps, "db">, teamId: number) =>
  (await db.select().from(pingKeys).where(ownedBy(pingKeys, teamId)).orderBy(asc(pingKeys.id))).map(present);

/**
 * Revokes a ping key.
 * @throws {AppError} not_found, also for another team's
 */
export const deletePingKey = (deps: Pick<Deps, "db" | "clock" | "log">, viewer: Viewer, id: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const ofTeam = and(eq(pingKeys.id, id), ownedBy(pingKeys, viewer.teamId));
    const [deleted] = await tx.delete(pingKeys).where(ofTeam).returning();
    if (!deleted) throw notFound("Ping key");
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "deleted", object: objectOf(deleted), teamId: deleted.teamId },
      event: { kind: "key_deleted", detail: `${shortened(deleted.key)} (ping key)` },
    });
  });

/** The oldest ping key of a team; null without one. */
export const readPingKey = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<string | null> => {
  const [row] = await db
    .select({ key: pingKeys.key })
    .from(pingKeys)
    .where(ownedBy(pingKeys, teamId))
    .orderBy(asc(pingKeys.id))
    .limit(1);
  return row?.key ?? null;
};

/** The owners of the ping keys among these. */
export const findPingKeys = async ({ db }: Pick<Deps, "db">, keys: readonly string[]): Promise<Map<string, Owner>> => {
  if (keys.length === 0) return new Map();
  const rows = await db.select().from(pingKeys).where(isOneOf(pingKeys.key, keys));
  return new Map(rows.map((row) => [row.key, ownerOf(row)]));
};
