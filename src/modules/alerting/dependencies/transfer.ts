import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { ownedBy } from "../../../db/owner";
import { dependencies } from "../../../db/schema";
import { id, list, object, oneOf, record } from "../../../server/answers";
import { field } from "../../../server/schema";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import { definePart, MAX_ITEMS } from "../../transfer/part";
import { parentsModel } from "./routes";
import { keyOf, type Target } from "./service";

const byId = t.Optional(t.Record(t.String({ maxLength: 20 }), parentsModel, { maxProperties: MAX_ITEMS }));
const sentModel = t.Object({ monitors: byId, agents: byId });
type Sent = Static<typeof sentModel>;

const PART_OF = { monitor: "monitors", agent: "agents" } as const satisfies Record<TargetType, keyof Sent>;

/** The targets of a file that have parents, with their place. */
const entriesOf = (sent: Sent) =>
  TARGET_TYPES.flatMap((type) =>
    Object.entries(sent[PART_OF[type]] ?? {}).map(([key, parents]) => ({
      key,
      path: `${PART_OF[type]}.${key}`,
      target: { type, id: Number(key) },
      parents,
    })),
  );

type Dependency = { child: Target; parent: Target };

/** The targets on cycles, and those on paths from one cycle to another. */
const cyclicTargets = (given: readonly Dependency[]): Set<string> => {
  const targets = new Set(given.flatMap(({ child, parent }) => [keyOf(child), keyOf(parent)]));
  // A target without parents is on no cycle, nor is one without children; both do not count for the others.
  for (const [from, to] of [
    ["child", "parent"],
    ["parent", "child"],
  ] as const) {
    const edges = given.filter((one) => targets.has(keyOf(one.child)) && targets.has(keyOf(one.parent)));
    const open = new Map<string, number>();
    for (const edge of edges) open.set(keyOf(edge[from]), (open.get(keyOf(edge[from])) ?? 0) + 1);
    const into = Map.groupBy(edges, (edge) => keyOf(edge[to]));
    const free = [...targets].filter((target) => !open.has(target));
    for (const target of free) {
      targets.delete(target);
      for (const edge of into.get(target) ?? []) {
        const left = (open.get(keyOf(edge[from])) ?? 0) - 1;
        open.set(keyOf(edge[from]), left);
        if (left === 0) free.push(keyOf(edge[from]));
      }
    }
  }
  return targets;
};

const exportedParents = list(
  object({ type: oneOf("What it depends on.", TARGET_TYPES), id: id("Its id in the file.", 4) }),
);

/** The dependencies of an exported file. */
export const dependenciesPart = definePart({
  key: "dependencies",
  counted: "dependencies",
  sent: field(
    sentModel,
    "What monitors and servers depend on, by their id. A target that depends on something already is left as it is.",
  ),
  exported: object({
    monitors: record(exportedParents, "What monitors depend on, by id.", "3"),
    agents: record(exportedParents, "What servers depend on, by id.", "5"),
  }),
  export: async ({ deps: { db }, owner, has }) => {
    const stored = await db.select().from(dependencies).where(ownedBy(dependencies, owner.id));
    const rows = stored.filter(
      (row) => has(PART_OF[row.targetType], row.targetId) && has(PART_OF[row.parentType], row.parentId),
    );
    const of = (type: TargetType) => {
      const grouped = Map.groupBy(
        rows.filter(({ targetType }) => targetType === type),
        ({ targetId }) => targetId,
      );
      const presented = [...grouped].map(([key, parents]) => [
        key,
        parents.map(({ parentType, parentId }) => ({ type: parentType, id: parentId })),
      ]);
      return Object.fromEntries(presented) as Record<string, Target[]>;
    };
    return { monitors: of("monitor"), agents: of("agent") };
  },
  check: (sent, { refer, refuse }) => {
    const entries = entriesOf(sent);
    const cyclic = cyclicTargets(
      entries.flatMap(({ target, parents }) => parents.map((parent) => ({ child: target, parent }))),
    );
    for (const { path, key, target, parents } of entries) {
      refer(path, PART_OF[target.type], key);
      for (const [index, parent] of parents.entries()) {
        refer(`${path}.${index}`, PART_OF[parent.type], parent.id);
        if (cyclic.has(keyOf(target)) && cyclic.has(keyOf(parent))) refuse(`${path}.${index}`, "this would be a cycle");
      }
    }
  },
  import: async (sent, { deps: { db }, owner, idOf }) => {
    const here = ({ type, id }: Target): Target[] => {
      const known = idOf(PART_OF[type], id);
      return known === null ? [] : [{ type, id: known }];
    };
    const given = entriesOf(sent).flatMap(({ target, parents }) =>
      here(target).flatMap((child) => parents.flatMap(here).map((parent) => ({ child, parent }))),
    );
    const rows = await db.select().from(dependencies).where(ownedBy(dependencies, owner.id));
    const existing = rows.map(({ targetType, targetId, parentType, parentId }) => ({
      child: { type: targetType, id: targetId },
      parent: { type: parentType, id: parentId },
    }));
    const stored = new Set(existing.map(({ child }) => keyOf(child)));
    const others = given.filter(({ child }) => !stored.has(keyOf(child)));
    const cyclic = cyclicTargets([...existing, ...others]);
    const added = others.filter(({ child, parent }) => !(cyclic.has(keyOf(child)) && cyclic.has(keyOf(parent))));
    const edges = added.map(({ child, parent }) => ({
      userId: owner.id,
      targetType: child.type,
      targetId: child.id,
      parentType: parent.type,
      parentId: parent.id,
    }));
    await insertMany(db, dependencies, edges, { skipExisting: true });
    return { created: added.length, skipped: given.length - added.length };
  },
});
