/** Tags: words with a colour that a user gives to monitors and servers, to find and choose them. */
import type { Static } from "@sinclair/typebox";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import type { Queries, Statement } from "../../db/database";
import { ownedBy, type Viewer } from "../../db/owner";
import { tags, targetTags, users } from "../../db/schema";
import { equalsText, isOneOf, lockRowsLightly, withValues } from "../../db/sql";
import { component, id, integer, list, oneOf, optional, text } from "../../server/answers";
import type { TargetType } from "../../shared/notifications";
import { TAG_COLOURS, TAG_LIMITS, type Tag, type TagColour, tagKey } from "../../shared/tags";
import type { TagInput } from "./model";

type Store = Pick<Deps, "db">;

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
const presentPairs = (pairs: Pair[], known: readonly Known[], places: ReadonlyMap<number, number>): Tag[] =>
  pairs
    .flatMap(({ tagId, value }) => {
      const place = places.get(tagId);
      return place === undefined ? [] : [{ place, value }];
    })
    .sort((one, other) => one.place - other.place)
    .map(({ place, value }) => {
      const { name, colour } = known[place] as Known;
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
  const known = (
    await db
      .select()
      .from(tags)
      .where(isOneOf(tags.id, [...wanted]))
  ).sort(byName);
  const places = new Map(known.map((tag, place) => [tag.id, place]));
  // Targets with the same tags share one list.
  const lists = new Map([...pairs].map(([text, own]) => [text, presentPairs(own, known, places)]));
  return new Map(rows.map(({ target_id, own }) => [Number(target_id), lists.get(own as string) ?? []]));
};

/**
 * The condition that a target has all of these tags, whose names match in any case; an empty value stands for any.
 * `targetId` is a column. `owner` is the user whose tags count; every user's if undefined.
 */
export const hasTags = (
  type: TargetType,
  targetId: SQLWrapper,
  wanted: readonly { name: string; value: string }[],
  owner?: number,
): SQL | undefined =>
  and(
    ...wanted.map(
      ({ name, value }) => sql`${targetId} in (select tt.target_id from ${tags} as t join ${targetTags} as tt
        on tt.tag_id = t.id and tt.target_type = ${type} where ${equalsText(sql`t.name`, name)}
        ${owner === undefined ? sql`` : sql`and t.user_id = ${owner}`} ${value ? sql`and tt.value = ${value}` : sql``})`,
    ),
  );

const readOwn = ({ db }: Store, userId: number) => db.select().from(tags).where(ownedBy(tags, userId));

/** The tags of a user with the number of monitors and servers that have each, by name. */
export const listTags = async ({ db }: Store, userId: number): Promise<OwnTag[]> => {
  const rows = await db.rows(sql`select ${tags.id} as id, ${tags.name} as name, ${tags.colour} as colour,
      count(case when ${targetTags.targetType} = 'monitor' then 1 end) as monitors,
      count(case when ${targetTags.targetType} = 'agent' then 1 end) as agents
    from ${tags} left join ${targetTags} on ${targetTags.tagId} = ${tags.id}
    where ${ownedBy(tags, userId)} group by ${tags.id}, ${tags.name}, ${tags.colour}`);
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
  const found = new Map<number, Set<number>>();
  if (tagIds.length === 0) return found;
  const rows = await db
    .select({ tagId: targetTags.tagId, targetId: targetTags.targetId })
    .from(targetTags)
    .where(and(eq(targetTags.targetType, type), isOneOf(targetTags.tagId, tagIds)));
  for (const { tagId, targetId } of rows) found.set(tagId, (found.get(tagId) ?? new Set()).add(targetId));
  return found;
};

/** The id of a user's tag by its name in any case, as an expression; null where there is none. */
export const tagIdByName = (userId: number, name: SQL): SQL =>
  sql`(select min(t.id) from ${tags} as t where t.user_id = ${userId} and lower(t.name) = lower(${name}))`;

/** A target with the tags that it is to have. */
type Tagged = { id: number; tags: readonly TagInput[] };

/**
 * Completes the tags of a user's targets: one that exists is named as it is stored, and a new one gets a colour.
 * @throws {AppError} too_many_tags when the user would have more than the limit
 */
export const resolveTags = async (store: Store, userId: number, targets: readonly Tagged[]) => {
  const known = new Map((await readOwn(store, userId)).map(({ name, colour }) => [tagKey(name), { name, colour }]));
  const resolved = targets.map(({ id, tags: wanted }) => ({
    id,
    tags: wanted.map(({ name, color, value }) => {
      const colour = color ?? (TAG_COLOURS[(known.size + 1) % TAG_COLOURS.length] as TagColour);
      const tag = known.get(tagKey(name)) ?? { name, colour };
      known.set(tagKey(name), tag);
      return { ...tag, value };
    }),
  }));
  if (known.size > TAG_LIMITS.perUser) throw new AppError("too_many_tags", { limit: TAG_LIMITS.perUser });
  return resolved;
};

export type Resolved = Awaited<ReturnType<typeof resolveTags>>;

/** Whose targets get tags, of which type they are, and the table that holds them. */
type Tagging = { userId: number; type: TargetType; table: SQLWrapper };

const GIVEN = { target_id: "bigint", name: "text", colour: "text", value: "text" } as const;

/**
 * The statements that give tags to targets of a user, and create those that are new. Tags that a target has stay, with the
 * new value. Targets that are deleted get none, and none does where the condition is false.
 */
export const addTags = ({ userId, type, table }: Tagging, targets: Resolved, condition: SQL = sql`true`): SQL[] => {
  const rows = targets.flatMap(({ id, tags: own }) => own.map(({ name, colour, value }) => [id, name, colour, value]));
  if (rows.length === 0) return [];
  const given = withValues("given", GIVEN, rows);
  const user = sql`cast(${userId} as bigint)`;
  const exists = sql`exists (select 1 from ${table} as target where target.id = given.target_id) and ${condition}`;
  const ofUser = sql`select name from ${tags} where user_id = ${userId}`;
  return [
    ...lockRowsLightly(users, users.id, eq(users.id, userId)),
    sql`${given} insert into ${tags} (user_id, name, colour)
      select ${user}, given.name, min(given.colour) from given
      where ${exists} and given.name not in (${ofUser})
        and (select count(*) from (${ofUser} union select name from given) as all_names) <= ${TAG_LIMITS.perUser}
      group by given.name on conflict do nothing`,
    sql`${given} insert into ${targetTags} (target_type, target_id, tag_id, user_id, value)
      select cast(${type} as text), given.target_id, t.id, ${user}, given.value
      from given join ${tags} as t on t.user_id = ${userId} and t.name = given.name where ${exists}
      on conflict (target_type, target_id, tag_id) do update set value = excluded.value`,
  ];
};

/** The statements that create tags of a user without targets. Those that exist by then stay as they are. */
export const createTags = (userId: number, named: Resolved[number]["tags"], condition: SQL): SQL[] => {
  const rows = named.map(({ name, colour }) => [name, colour]);
  if (rows.length === 0) return [];
  const own = sql`select lower(name) from ${tags} where user_id = ${userId}`;
  return [
    ...lockRowsLightly(users, users.id, eq(users.id, userId)),
    sql`${withValues("given", { name: "text", colour: "text" }, rows)} insert into ${tags} (user_id, name, colour)
      select cast(${userId} as bigint), given.name, given.colour from given
      where ${condition} and lower(given.name) not in (${own})
        and (select count(*) from (${own} union select lower(name) from given) as all_names) <= ${TAG_LIMITS.perUser}
      on conflict do nothing`,
  ];
};

const ofTargets = (type: TargetType, ids: readonly number[]) =>
  and(eq(targetTags.targetType, type), isOneOf(targetTags.targetId, ids));

/** The statements that replace the tags of targets of a user. */
export const replaceTags = (tx: Queries, tagging: Tagging, targets: Resolved): Statement[] => [
  tx.delete(targetTags).where(
    ofTargets(
      tagging.type,
      targets.map(({ id }) => id),
    ),
  ),
  ...addTags(tagging, targets),
];

/** The statement that takes the tags of these names, as they are stored, from targets of a user. */
export const removeTags = (userId: number, type: TargetType, ids: readonly number[], names: readonly string[]): SQL =>
  sql`delete from ${targetTags} where ${ofTargets(type, ids)}
    and tag_id in (select t.id from ${tags} as t where t.user_id = ${userId} and ${isOneOf(sql`t.name`, names)})`;

/** The statement that deletes the tags of deleted targets; `ids` is a list or a selection in parentheses. */
export const purgeTags = (tx: Queries, type: TargetType, ids: SQL): Statement =>
  tx.delete(targetTags).where(and(eq(targetTags.targetType, type), sql`${targetTags.targetId} in ${ids}`));

/**
 * Renames or recolours a tag wherever it is used. Returns its name before and after.
 * @throws {AppError} not_found, also for another user's; tag_exists
 */
export const updateTag = async (
  store: Store,
  viewer: Viewer,
  tagId: number,
  { name, color }: { name?: string; color?: TagColour },
): Promise<{ before: string; after: string }> => {
  const own = await readOwn(store, viewer.id);
  const tag = own.find((one) => one.id === tagId);
  if (!tag) throw notFound("Tag");
  const wanted = name?.trim().normalize("NFC") ?? tag.name;
  const isTaken = own.some((one) => one.id !== tagId && tagKey(one.name) === tagKey(wanted));
  if (isTaken) throw new AppError("tag_exists");
  const others = sql`select 1 from ${tags} as o where o.user_id = ${viewer.id} and o.name = ${wanted} and o.id <> ${tagId}`;
  const results = await store.db.atomically((tx) => [
    ...lockRowsLightly(users, users.id, eq(users.id, viewer.id)),
    tx
      .update(tags)
      .set({ name: wanted, colour: color ?? tag.colour })
      .where(and(eq(tags.id, tagId), ownedBy(tags, viewer.id), sql`not exists (${others})`))
      .returning({ id: tags.id }),
  ]);
  if ((results.at(-1) as unknown[]).length === 0) throw new AppError("tag_exists");
  return { before: tag.name, after: wanted };
};

/** Deletes a tag, and takes it from everything that has it. @throws {AppError} not_found, also for another user's */
export const deleteTag = async ({ db }: Store, viewer: Viewer, tagId: number): Promise<void> => {
  const deleted = await db
    .delete(tags)
    .where(and(eq(tags.id, tagId), ownedBy(tags, viewer.id)))
    .returning({ id: tags.id });
  if (deleted.length === 0) throw notFound("Tag");
};
