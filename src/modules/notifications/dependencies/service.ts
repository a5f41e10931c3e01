/**
 * Dependencies: what a monitor or server depends on. While one of its parents is down, an outage of the child is explained
 * by the parent's: delivery/plan/holds.ts.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import type { Queries, Statement } from "../../../db/database";
import { ownedBy } from "../../../db/owner";
import { agents, dependencies, monitors, outages, users } from "../../../db/schema";
import { lockAlerts, lockRowsLightly } from "../../../db/sql";
import { boolean, component, id, list, oneOf, text } from "../../../server/answers";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";

/** The most children that are listed. */
const MAX_CHILDREN = 200;

/** A monitor or a server, by type and id. */
export type Target = { type: TargetType; id: number };

/** A monitor or server that another one depends on, or that depends on it. */
const RelatedTarget = component("RelatedTarget", {
  type: oneOf("What it is; an agent is a server.", TARGET_TYPES),
  id: id("Its id.", 3),
  name: text("Its name.", "router"),
  down: boolean("Whether it is down or offline now.", false),
});
type RelatedTarget = Static<typeof RelatedTarget>;

/** The fields of an answer about what a target depends on, and what depends on it. */
export const related = {
  parents: list(RelatedTarget, "What it depends on, by name."),
  children: list(RelatedTarget, `What depends on it, by name; at most ${MAX_CHILDREN}.`),
};

/** A key of a target for maps and sets. */
export const keyOf = ({ type, id }: Target): string => `${type} ${id}`;

/** Columns of `dependencies` that name a child, and those that name its parent. */
const ENDS = {
  child: { type: dependencies.targetType, id: dependencies.targetId },
  parent: { type: dependencies.parentType, id: dependencies.parentId },
};

/** The targets at one end of the dependencies that have `target` at the other. */
const readRelated = async (
  { db }: Pick<Deps, "db">,
  read: keyof typeof ENDS,
  { type, id }: Target,
): Promise<RelatedTarget[]> => {
  const [wanted, given] = read === "parent" ? [ENDS.parent, ENDS.child] : [ENDS.child, ENDS.parent];
  const rows = await db.rows(sql`select ${wanted.type} as type, ${wanted.id} as id,
      coalesce(${monitors.name}, ${agents.name}) as name,
      exists (select 1 from ${outages} where ${outages.targetType} = ${wanted.type} and ${outages.targetId} = ${wanted.id}
        and ${outages.kind} in ('down', 'offline') and ${outages.endedAt} is null) as down
    from ${dependencies}
    left join ${monitors} on ${wanted.type} = 'monitor' and ${monitors.id} = ${wanted.id}
    left join ${agents} on ${wanted.type} = 'agent' and ${agents.id} = ${wanted.id}
    where ${given.type} = ${type} and ${given.id} = ${id}
    order by 3, 1, 2 limit ${MAX_CHILDREN}`);
  return rows.map((row) => ({
    type: row.type as TargetType,
    id: Number(row.id),
    name: String(row.name ?? ""),
    down: Boolean(row.down),
  }));
};

/** What a target depends on, and what depends on it. */
export const readDependencies = async (deps: Pick<Deps, "db">, target: Target) => ({
  parents: await readRelated(deps, "parent", target),
  children: await readRelated(deps, "child", target),
});

const isOwnedTarget = ({ type, id }: Target, userId: number): SQL => {
  const table = type === "monitor" ? monitors : agents;
  return sql`exists (select 1 from ${table} where ${table.id} = ${id} and ${ownedBy(table, userId)})`;
};

/** The condition that no parent depends on the target, directly or by others. */
const isAcyclic = (target: Target, parents: readonly Target[]): SQL => {
  const given = parents.map(({ type, id }) => sql`select cast(${type} as text) as type, cast(${id} as bigint) as id`);
  return sql`not exists (with recursive reached (type, id) as (
      select type, id from (${sql.join(given, sql` union all `)}) as given
      union select d.parent_type, d.parent_id from ${dependencies} as d
        join reached as r on d.target_type = r.type and d.target_id = r.id)
    select 1 from reached where type = ${target.type} and id = ${target.id})`;
};

/** A shortest path from a target over one of these parents back to it, with both ends; null when there is none. */
const findCycle = async (
  { db }: Pick<Deps, "db">,
  target: Target,
  parents: readonly Target[],
  userId: number,
): Promise<Target[] | null> => {
  const rows = await db.select().from(dependencies).where(ownedBy(dependencies, userId));
  const parentsOf = Map.groupBy(rows, ({ targetType, targetId }) => keyOf({ type: targetType, id: targetId }));
  const found: { one: Target; before: number }[] = parents.map((one) => ({ one, before: -1 }));
  const seen = new Set(parents.map(keyOf));
  for (const [index, { one }] of found.entries()) {
    if (keyOf(one) === keyOf(target)) {
      const path = [];
      for (let at = index; at >= 0; at = found[at]?.before ?? -1) path.unshift(found[at]?.one as Target);
      return [target, ...path];
    }
    for (const { parentType: type, parentId: id } of parentsOf.get(keyOf(one)) ?? []) {
      if (seen.has(keyOf({ type, id }))) continue;
      seen.add(keyOf({ type, id }));
      found.push({ one: { type, id }, before: index });
    }
  }
  return null;
};

const nameOf = async ({ db }: Pick<Deps, "db">, { type, id }: Target): Promise<string> => {
  const table = type === "monitor" ? monitors : agents;
  const [row] = await db.select({ name: table.name }).from(table).where(eq(table.id, id));
  return row?.name ?? String(id);
};

/** Why the parents of a target were not saved. */
const reasonNotSaved = async (
  deps: Pick<Deps, "db">,
  target: Target,
  parents: readonly Target[],
  userId: number,
): Promise<AppError> => {
  const isKnown = async (one: Target) =>
    (await deps.db.rows(sql`select 1 as known where ${isOwnedTarget(one, userId)}`)).length > 0;
  if (!(await isKnown(target))) return notFound(target.type === "monitor" ? "Monitor" : "Server");
  const known = await Promise.all(parents.map(isKnown));
  const unknown = parents.flatMap(({ type, id }, index) => {
    const path = `parents.${index}`;
    return known[index] ? [] : [{ path, message: `${path}: there is no ${type} ${id} of the same owner` }];
  });
  if (unknown.length > 0) return validation(unknown);
  const cycle = await findCycle(deps, target, parents, userId);
  if (!cycle) return new AppError("conflict", { reason: "The dependencies were changed by another call. Try again." });
  const names = await Promise.all(cycle.map((one) => nameOf(deps, one)));
  const path = names.join(" → ");
  const errors = [{ path: "parents", message: `parents: this would be a cycle: ${path}` }];
  return new AppError("dependency_cycle", { path }, { errors, cycle: names });
};

/**
 * Replaces the parents of a target. `userId` is its owner.
 * @throws {AppError} validation when a parent is unknown or of another owner, dependency_cycle
 */
export const saveDependencies = async (
  deps: Pick<Deps, "db">,
  { userId, ...target }: Target & { userId: number },
  sent: readonly Target[],
): Promise<void> => {
  const parents = [...new Map(sent.map((parent) => [keyOf(parent), parent])).values()];
  const conditions = [target, ...parents].map((one) => isOwnedTarget(one, userId));
  const isValid = sql`(${and(...conditions, parents.length > 0 ? isAcyclic(target, parents) : undefined)})`;
  const ofTarget = and(eq(dependencies.targetType, target.type), eq(dependencies.targetId, target.id));
  const results = await deps.db.atomically((tx) => [
    // An import waits for it, and two saves that together would form a cycle run one after the other.
    ...lockRowsLightly(users, users.id, eq(users.id, userId)),
    ...lockAlerts,
    sql`select 1 as valid where ${isValid}`,
    tx.delete(dependencies).where(sql`${ofTarget} and ${isValid}`),
    ...parents.map(
      (parent) => sql`insert into ${dependencies} (target_type, target_id, parent_type, parent_id, user_id)
        select cast(${target.type} as text), cast(${target.id} as bigint), cast(${parent.type} as text),
          cast(${parent.id} as bigint), cast(${userId} as bigint) where ${isValid}`,
    ),
  ]);
  const [valid] = [...(results.at(-2 - parents.length) as unknown[])];
  if (!valid) throw await reasonNotSaved(deps, target, parents, userId);
};

/** The statement that deletes the dependencies of deleted targets and on them; `ids` as in purgeTargets. */
export const purgeDependencies = (tx: Queries, type: TargetType, ids: SQL): Statement =>
  tx
    .delete(dependencies)
    .where(
      or(
        and(eq(dependencies.targetType, type), sql`${dependencies.targetId} in ${ids}`),
        and(eq(dependencies.parentType, type), sql`${dependencies.parentId} in ${ids}`),
      ),
    );
