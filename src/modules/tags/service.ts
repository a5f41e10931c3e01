/** Tags: words with a colour that a user gives to monitors and servers, to find and choose them. */
import type { Static } from "@sinclair/typebox";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import type { Database, Queries, Statement } from "../../db/database";
import { insertMany } from "../../db/insert-many";
import { madeBy, type Owner, ownedBy, type Viewer } from "../../db/owner";
import { tags, targetTags } from "../../db/schema";
import { equalsText, isOneOf, withValues } from "../../db/sql";
import { component, id, integer, list, oneOf, optional, text } from "../../server/answers";
import type { TargetType } from "../../shared/notifications";
import { TAG_COLOURS, TAG_LIMITS, type Tag, type TagColour, tagKey } from "../../shared/tags";
import { recordChange } from "../accounts/audit/record";
import { lockOwner } from "../accounts/quotas/service";
import type { TagInput } from "./model";

type Store = Pick<Deps, "db">;
type LoggedStore = Pick<Deps, "db" | "clock" | "log">;

const colourField = oneOf("Its colour.", TAG_COLOURS, "blue");

const TargetTag = component("TargetTag", {
  name: text("The tag's name.", "production"),
  color: colourField,
  value: optional(text("Distinguishes targets with this tag; left out when empty.", "eu-west")),
});
/** The tags of a monitor or server in answers. */
export const tagsField = list(TargetTag, "Its tags, by name.");

export const OwnTag = component("Tag", {
  id: id("The tag's id.", 2),
  name: text("Its name.", "production"),
  color: colourField,
  monitors: integer("How many monitors have it.", 3),
  agents: integer("How many servers have it.", 1),
});
export type OwnTag = Static<typeof OwnTag>;

const byName = (one: { name: string }, other: { name: string }) =>
  one.name < other.name ? -1 : Number(one.name > other.name);

/** Separate the tags of a target in one text, and the value of a tag from its id. Values have no control characters. */
const [BETWEEN_TAGS, BEFORE_VALUE] = ["\u001e", "\u001f"];

/** The ids of a target's tags and their values as one text, equal for targets with the same tags. */
const joined = sql`string_agg(cast(tag_id as text) || cast(${BEFORE_VALUE} as text) || value,
  cast(${BETWEEN_TAGS} as text) order by tag_id)`;

type Pair = { tagId: number; value: string };

const splitPairs = (text: string): Pair[] =>
  text.split(BETWEEN_TAGS).map((pair) => {
    const at = pair.indexOf(BEFORE_VALUE);
    return { tagId: Number(pair.slice(0, at)), value: pair.slice(at + 1) };
  });

type Known = { name: string; colour: string };

/** Leaves out a tag that was deleted since the pairs were read. */
const presentPairs = (pairs: Pair[], ownTags: readonly Known[], places: ReadonlyMap<number, number>): Tag[] =>
  pairs
    .flatMap(({ tagId, value }) => {
      const place = places.get(tagId);
      return place === undefined ? [] : [{ place, value }];
    })
    .sort((one, other) => one.place - other.place)
    .map(({ place, value }) => {
      const { name, colour } = ownTags[place] as Known;
      return { name, color: colour as TagColour, ...(value && { value }) };
    });

const NO_TAGS: ReadonlyMap<number, Tag[]> = new Map();

/** The tags of these monitors or servers by their id, each list by name. Targets without tags are left out. */
export const readTags = async (
  { db }: Store,
  type: TargetType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Tag[]>> => {
  if (ids.length === 0) return NO_TAGS;
  // One row for each target: to read one for each of its tags would be most of the cost of a long list.
  const rows = await db.rows(sql`select target_id, ${joined} as own from ${targetTags}
    where exists (select 1 from ${targetTags}) and target_type = ${type} and ${isOneOf(sql.raw("target_id"), ids)}
    group by target_id`);
  if (rows.length === 0) return NO_TAGS;
  const texts = new Set(rows.map(({ own }) => own as string));
  const pairs = new Map([...texts].map((text) => [text, splitPairs(text)]));
  const wanted = new Set([...pairs.values()].flatMap((own) => own.map(({ tagId }) => tagId)));
  const ownTags = (
    await db
      .select()
      .from(tags)
      .where(isOneOf(tags.id, [...wanted]))
  ).sort(byName);
  const places = new Map(ownTags.map((tag, place) => [tag.id, place]));
  // Targets with the same tags share one list.
  const lists = new Map([...pairs].map(([text, own]) => [text, presentPairs(own, ownTags, places)]));
  return new Map(rows.map(({ target_id, own }) => [Number(target_id), lists.get(own as string) ?? []]));
};

/**
 * The condition that a target has all of these tags, whose names match in any case; an empty value stands for any.
 * `targetId` is a column. `teams` are those whose tags count; all if undefined.
 */
export const hasTags = (
  type: TargetType,
  targetId: SQLWrapper,
  wanted: readonly { name: string; value: string }[],
  teams?: readonly number[],
): SQL | undefined =>
  and(
    ...wanted.map(
      ({ name, value }) => sql`${targetId} in (select tt.target_id from ${tags} as t join ${targetTags} as tt
        on tt.tag_id = t.id and tt.target_type = ${type} where ${equalsText(sql`t.name`, name)}
        ${teams === undefined ? sql`` : sql`and ${isOneOf(sql`t.team_id`, teams)}`} ${value ? sql`and tt.value = ${value}` : sql``})`,
    ),
  );

const readOwn = ({ db }: Store, teamId: number) => db.select().from(tags).where(ownedBy(tags, teamId));

/** The tags of a user with the number of monitors and servers that have each, by name. */
export const listTags = async ({ db }: Store, teamId: number): Promise<OwnTag[]> => {
  const rows = await db.rows(sql`select ${tags.id} as id, ${tags.name} as name, ${tags.colour} as colour,
      count(case when ${targetTags.targetType} = 'monitor' then 1 end) as monitors,
      count(case when ${targetTags.targetType} = 'agent' then 1 end) as agents
    from ${tags} left join ${targetTags} on ${targetTags.tagId} = ${tags.id}
    where ${ownedBy(tags, teamId)} group by ${tags.id}, ${tags.name}, ${tags.colour}`);
  return rows
    .map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      color: row.colour as TagColour,
      monitors: Number(row.monitors),
      agents: Number(row.agents),
    }))
    .sort(byName);
};

/** The monitors or servers with each of these tags, by the tag's id. */
export const readTagged = async (
  { db }: Store,
  type: TargetType,
  tagIds: readonly number[],
): Promise<Map<number, Set<number>>> => {
  const idsByTag = new Map<number, Set<number>>();
  if (tagIds.length === 0) return idsByTag;
  const rows = await db
    .select({ tagId: targetTags.tagId, targetId: targetTags.targetId })
    .from(targetTags)
    .where(and(eq(targetTags.targetType, type), isOneOf(targetTags.tagId, tagIds)));
  for (const { tagId, targetId } of rows) idsByTag.set(tagId, (idsByTag.get(tagId) ?? new Set()).add(targetId));
  return idsByTag;
};

/** A target with the tags that it is to have. */
type Tagged = { id: number; tags: readonly TagInput[] };

/**
 * Rows to insert for the tags that a user does not have yet.
 * @throws {AppError} too_many_tags when the user would have more than the limit with them
 */
export const missingTags = async (
  store: Store,
  owner: Owner,
  wanted: readonly Pick<TagInput, "name" | "color">[],
): Promise<(typeof tags.$inferInsert)[]> => {
  const names = new Set((await readOwn(store, owner.teamId)).map(({ name }) => tagKey(name)));
  const missing: (typeof tags.$inferInsert)[] = [];
  for (const { name, color } of wanted) {
    if (names.has(tagKey(name))) continue;
    names.add(tagKey(name));
    missing.push({ ...owner, name, colour: color ?? (TAG_COLOURS[names.size % TAG_COLOURS.length] as TagColour) });
  }
  if (names.size > TAG_LIMITS.perUser) throw new AppError("too_many_tags", { limit: TAG_LIMITS.perUser });
  return missing;
};

/**
 * Finds tags of a user by their names within a transaction, regardless of case, and creates those that are missing.
 * Returns their ids by the keys of their names.
 * @throws {AppError} too_many_tags
 */
export const findOrCreateTags = async (
  tx: Database,
  owner: Owner,
  wanted: readonly Pick<TagInput, "name" | "color">[],
): Promise<Map<string, number>> => {
  await lockOwner(tx, owner);
  await insertMany(tx, tags, await missingTags({ db: tx }, owner, wanted));
  return new Map((await readOwn({ db: tx }, owner.teamId)).map(({ id, name }) => [tagKey(name), id]));
};

/**
 * Gives tags to targets of a user within a transaction, and creates those that are new. Tags that a target has stay, with
 * the new value.
 * @throws {AppError} too_many_tags
 */
export const addTags = async (
  tx: Database,
  { owner, type }: { owner: Owner; type: TargetType },
  targets: readonly Tagged[],
): Promise<void> => {
  const wanted = targets.flatMap(({ tags: own }) => own);
  if (wanted.length === 0) return;
  const ids = await findOrCreateTags(tx, owner, wanted);
  const rows = targets.flatMap(({ id, tags: own }) =>
    own.map(({ name, value }) => ({
      ...{ targetType: type, targetId: id, ...owner, value },
      tagId: ids.get(tagKey(name)) as number,
    })),
  );
  const pairs = rows.map(({ targetId, tagId }) => [targetId, tagId]);
  await tx.rows(sql`${withValues("given", { target_id: "bigint", tag_id: "bigint" }, pairs)}
    delete from ${targetTags} where target_type = ${type} and (target_id, tag_id) in (select target_id, tag_id from given)`);
  await insertMany(tx, targetTags, rows);
};

const ofTargets = (type: TargetType, ids: readonly number[]) =>
  and(eq(targetTags.targetType, type), isOneOf(targetTags.targetId, ids));

/** Replaces the tags of a user's targets within a transaction. @throws {AppError} too_many_tags */
export const replaceTags = async (
  tx: Database,
  tagging: { owner: Owner; type: TargetType },
  targets: readonly Tagged[],
): Promise<void> => {
  const ids = targets.map(({ id }) => id);
  await tx.delete(targetTags).where(ofTargets(tagging.type, ids));
  await addTags(tx, tagging, targets);
};

/** The statement that takes the tags of these names, as they are stored, from targets of a user. */
export const removeTags = (teamId: number, type: TargetType, ids: readonly number[], names: readonly string[]): SQL =>
  sql`delete from ${targetTags} where ${ofTargets(type, ids)}
    and tag_id in (select t.id from ${tags} as t where t.team_id = ${teamId} and ${isOneOf(sql`t.name`, names)})`;

/** The statement that deletes the tags of deleted targets; `ids` is a list or a selection in parentheses. */
export const purgeTags = (tx: Queries, type: TargetType, ids: SQL): Statement =>
  tx.delete(targetTags).where(and(eq(targetTags.targetType, type), sql`${targetTags.targetId} in ${ids}`));

/**
 * Renames or recolours a tag wherever it is used. Returns its name before and after.
 * @throws {AppError} not_found, also for another user's; tag_exists
 */
export const updateTag = async (
  store: LoggedStore,
  viewer: Viewer,
  tagId: number,
  wanted: { name?: string; color?: TagColour },
): Promise<{ before: string; after: string }> => {
  const key = wanted.name === undefined ? undefined : tagKey(wanted.name);
  return store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(viewer));
    const own = await readOwn({ db: tx }, viewer.teamId);
    const tag = own.find(({ id }) => id === tagId);
    if (!tag) throw notFound("Tag");
    if (own.some(({ id, name }) => id !== tagId && tagKey(name) === key)) throw new AppError("tag_exists");
    const after = { name: wanted.name?.trim().normalize("NFC") ?? tag.name, colour: wanted.color ?? tag.colour };
    await tx.update(tags).set(after).where(eq(tags.id, tagId));
    await recordChange({ ...store, db: tx }, viewer, {
      ...{ action: "changed", object: { type: "tag", id: tagId, name: after.name }, teamId: tag.teamId },
      ...{ before: { name: tag.name, colour: tag.colour }, after },
    });
    return { before: tag.name, after: after.name };
  });
};

/** Deletes a tag, and takes it from everything that has it. @throws {AppError} not_found, also for another user's */
export const deleteTag = (store: LoggedStore, viewer: Viewer, tagId: number): Promise<void> =>
  store.db.transact(async (tx) => {
    const [deleted] = await tx
      .delete(tags)
      .where(and(eq(tags.id, tagId), ownedBy(tags, viewer.teamId)))
      .returning({ name: tags.name, teamId: tags.teamId });
    if (!deleted) throw notFound("Tag");
    const { name, teamId } = deleted;
    const object = { type: "tag" as const, id: tagId, name };
    await recordChange({ ...store, db: tx }, viewer, { action: "deleted", object, teamId });
  });
