import type { Static } from "@sinclair/typebox";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, describeError, notFound } from "../../core/errors";
import { hashSecret, randomSecret } from "../../core/secrets";
import { madeBy, ownedBy, ownerOf, type Viewer } from "../../db/owner";
import { wallKeys } from "../../db/schema";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { component, id, nullable, text, time } from "../../server/answers";
import { LIMITS, MINUTE } from "../../shared/limits";
import { parseTagText, tagKey, tagText } from "../../shared/tags";
import { recordChange } from "../accounts/audit/record";
import { lockOwner } from "../accounts/quotas/service";
import { parseTagFilter } from "../tags/model";

type Store = Pick<Deps, "db" | "clock">;
type LoggedStore = Store & Pick<Deps, "log">;
type Row = typeof wallKeys.$inferSelect;

const PREFIX = "wall";

/** Whether a secret has the prefix of a wall key. Session tokens and API keys never have it. */
export const isWallKey = (secret: string): boolean => secret.startsWith(`${PREFIX}_`);

export const WallKey = component("WallKey", {
  id: id("The id of the address.", 4),
  name: text("Where it is shown.", "Office television"),
  tag: nullable(text("The only tag whose monitors and servers it shows; null for all.", "production")),
  created_at: time("When it was created."),
  last_used_at: nullable(time("When it was last shown, to the minute; null before.")),
});

const present = ({ id, name, tag, createdAt, lastUsedAt }: Row): Static<typeof WallKey> => ({
  id,
  name,
  tag,
  created_at: isoTime(createdAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});

/**
 * Creates an address of the wall. Its key is in the answer and not stored.
 * @throws {AppError} too_many_walls, validation
 */
export const createWallKey = async (deps: LoggedStore, owner: Viewer, sent: { name: string; tag?: string | null }) => {
  const key = randomSecret(PREFIX);
  const [wanted] = sent.tag?.trim() ? parseTagFilter([sent.tag]) : [];
  const values = {
    ...madeBy(owner),
    name: sent.name.trim(),
    tag: wanted ? tagText(wanted) : null,
    hash: hashSecret(key),
    createdAt: deps.clock.now(),
  };
  const row = await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    if ((await tx.$count(wallKeys, ownedBy(wallKeys, owner.teamId))) >= LIMITS.wallKeys)
      throw new AppError("too_many_walls", { limit: LIMITS.wallKeys });
    const [made] = await tx.insert(wallKeys).values(values).returning();
    const { id, name, tag, teamId } = made as Row;
    await recordChange({ ...deps, db: tx }, owner, {
      ...{ action: "created", object: { type: "wall", id, name }, teamId, after: { tag } },
      event: { kind: "key_created", detail: `${name} (wall)` },
    });
    return made as Row;
  });
  return { key, data: present(row) };
};

/** The addresses of a team's walls without their keys, the newest first. */
export const listWallKeys = async ({ db }: Pick<Store, "db">, teamId: number) =>
  (await db.select().from(wallKeys).where(ownedBy(wallKeys, teamId)).orderBy(desc(wallKeys.id))).map(present);

/**
 * Revokes an address.
 * @throws {AppError} not_found, also for another user's
 */
export const deleteWallKey = (deps: LoggedStore, owner: Viewer, id: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [deleted] = await tx
      .delete(wallKeys)
      .where(and(eq(wallKeys.id, id), ownedBy(wallKeys, owner.teamId)))
      .returning();
    if (!deleted) throw notFound("Wall address");
    const { name, teamId } = deleted;
    await recordChange({ ...deps, db: tx }, owner, {
      ...{ action: "deleted", object: { type: "wall", id, name }, teamId },
      event: { kind: "key_deleted", detail: `${name} (wall)` },
    });
  });

/** Whether a wall key exists. */
export const hasWallKey = async ({ db }: Pick<Store, "db">, key: string): Promise<boolean> =>
  (await db.$count(wallKeys, eq(wallKeys.hash, hashSecret(key)))) > 0;

/** The owner and the tag of a wall key, or undefined. Its use is recorded at most once a minute. */
export const findWallKey = async ({ db, clock, log }: Store & Pick<Deps, "log">, key: string) => {
  const [row] = await db
    .select()
    .from(wallKeys)
    .where(eq(wallKeys.hash, hashSecret(key)));
  if (!row) return undefined;
  const now = clock.now();
  if ((row.lastUsedAt ?? 0) <= now - MINUTE) {
    const due = sql`coalesce(${wallKeys.lastUsedAt}, 0) <= ${now - MINUTE}`;
    // Not awaited, so that the request is not delayed.
    void Promise.resolve(
      db
        .update(wallKeys)
        .set({ lastUsedAt: now })
        .where(and(eq(wallKeys.id, row.id), due)),
    ).catch((error) => log.warn("a wall's last use was not written", { error: describeError(error) }));
  }
  return { owner: ownerOf(row), tags: row.tag === null ? [] : parseTagFilter([row.tag]) };
};

/** Names a renamed tag in its owner's walls as it is called now. */
export const renameInWalls = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  { before, after }: { before: string; after: string },
): Promise<void> => {
  for (const { id, tag } of await db.select().from(wallKeys).where(ownedBy(wallKeys, teamId))) {
    const { name, value } = parseTagText(tag ?? "");
    if (tagKey(name) !== tagKey(before)) continue;
    await db
      .update(wallKeys)
      .set({ tag: tagText({ name: after, value }) })
      .where(and(eq(wallKeys.id, id), ownedBy(wallKeys, teamId)));
  }
};
