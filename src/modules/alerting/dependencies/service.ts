/**
 * Dependencies: the parents of monitors and servers. While a parent is down, its outage explains an outage of the child:
 * delivery/plan/holds.ts.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import type { Queries, Statement } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { type Owner, ownedBy } from "../../../db/owner";
import { dependencies, outages } from "../../../db/schema";
import { lock, lockAlerts } from "../../../db/sql";
import { boolean, component, id, list, oneOf, text } from "../../../server/answers";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import type { Author } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { recordOfTarget } from "../logged";
import { targetName, viewOf } from "../targets";

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
      ${targetName(wanted.type, wanted.id)} as name,
      exists (select 1 from ${outages} where ${outages.targetType} = ${wanted.type} and ${outages.targetId} = ${wanted.id}
        and ${outages.kind} in ('down', 'offline') and ${outages.endedAt} is null) as down
    from ${dependencies}
    where ${given.type} = ${type} and ${given.id} = ${id}
    order by 3, 1, 2 limit ${MAX_CHILDREN}`);
  return rows.map((row) => ({
    type: row.type as TargetType,
    id: Number(row.id),
    name: String(row.name),
    down: Boolean(row.down),
  }));
};

/** The parents and children of a target. */
export const readDependencies = async (deps: Pick<Deps, "db">, target: Target) => ({
  parents: await readRelated(deps, "parent", target),
  children: await readRelated(deps, "child", target),
});

const parentNames = async (deps: Pick<Deps, "db">, target: Target): Promise<string[]> =>
  (await readRelated(deps, "parent", target)).map(({ name }) => name);

/** Shortest dependency cycle through one of `parents`, or null. */
const findCycle = async (
  { db }: Pick<Deps, "db">,
  target: Target,
  parents: readonly Target[],
  teamId: number,
): Promise<Target[] | null> => {
  const rows = await db.select().from(dependencies).where(ownedBy(dependencies, teamId));
  const parentsOf = Map.groupBy(rows, ({ targetType, targetId }) => keyOf({ type: targetType, id: targetId }));
  const reached: { one: Target; before: number }[] = parents.map((one) => ({ one, before: -1 }));
  const seen = new Set(parents.map(keyOf));
  for (const [index, { one }] of reached.entries()) {
    if (keyOf(one) === keyOf(target)) {
      const path = [];
      for (let at = index; at >= 0; at = reached[at]?.before ?? -1) path.unshift(reached[at]?.one as Target);
      return [target, ...path];
    }
    for (const { parentType: type, parentId: id } of parentsOf.get(keyOf(one)) ?? []) {
      if (seen.has(keyOf({ type, id }))) continue;
      seen.add(keyOf({ type, id }));
      reached.push({ one: { type, id }, before: index });
    }
  }
  return null;
};

/** The name of a user's own target, or undefined. */
const nameOf = (deps: Pick<Deps, "db">, { type, id }: Target, teamId: number): Promise<string | undefined> =>
  viewOf(type).readOwn(deps, id, teamId);

/** @throws {AppError} not_found, validation, dependency_cycle when the parents of a target can't be saved */
const checkParents = async (
  deps: Pick<Deps, "db">,
  target: Target,
  parents: readonly Target[],
  teamId: number,
): Promise<void> => {
  if ((await nameOf(deps, target, teamId)) === undefined)
    throw notFound(target.type === "monitor" ? "Monitor" : "Server");
  const unknown: FieldError[] = [];
  for (const [index, parent] of parents.entries()) {
    const path = `parents.${index}`;
    if ((await nameOf(deps, parent, teamId)) === undefined)
      unknown.push({ path, message: `${path}: there is no ${parent.type} ${parent.id} of the same owner` });
  }
  if (unknown.length > 0) throw validation(unknown);
  const cycle = await findCycle(deps, target, parents, teamId);
  if (!cycle) return;
  const names: string[] = [];
  for (const one of cycle) names.push((await nameOf(deps, one, teamId)) ?? String(one.id));
  const path = names.join(" → ");
  const errors = [{ path: "parents", message: `parents: this would be a cycle: ${path}` }];
  throw new AppError("dependency_cycle", { path }, { errors, cycle: names });
};

/**
 * Replaces the parents of a target. `owner` is its owner.
 * @throws {AppError} validation when a parent is unknown or of another owner, dependency_cycle
 */
export const saveDependencies = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  { owner, ...target }: Target & { owner: Owner },
  sent: readonly Target[],
  author: Author,
): Promise<void> => {
  const parents = [...new Map(sent.map((parent) => [keyOf(parent), parent])).values()];
  await deps.db.transact(async (tx) => {
    // Two saves that together would form a cycle run one after the other.
    await lockOwner(tx, owner);
    await lock(tx, lockAlerts);
    await checkParents({ db: tx }, target, parents, owner.teamId);
    const before = { parents: await parentNames({ db: tx }, target) };
    await tx
      .delete(dependencies)
      .where(and(eq(dependencies.targetType, target.type), eq(dependencies.targetId, target.id)));
    const rows = parents.map(({ type, id }) => ({
      ...{ ...owner, targetType: target.type, targetId: target.id },
      ...{ parentType: type, parentId: id },
    }));
    await insertMany(tx, dependencies, rows);
    const after = { parents: await parentNames({ db: tx }, target) };
    const logged = { ...target, teamId: owner.teamId };
    await recordOfTarget({ ...deps, db: tx }, author, logged, { action: "changed", before, after });
  });
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
