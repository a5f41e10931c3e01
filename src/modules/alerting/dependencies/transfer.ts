import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy, ownedBy } from "../../../db/owner";
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

type Dependency = { child: Target; parent: Target; path: string };

/** Each dependency of a file with its place. */
const dependenciesOf = (sent: Sent): Dependency[] =>
  TARGET_TYPES.flatMap((type) =>
    Object.entries(sent[PART_OF[type]] ?? {}).flatMap(([id, parents]) =>
      parents.map((parent, index) => ({
        child: { type, id: Number(id) },
        parent,
        path: `${PART_OF[type]}.${id}.${index}`,
      })),
    ),
  );

/** Tells for a dependency whether both its ends are on cycles, or on a path from one cycle to another. */
const cyclesOf = (given: readonly Omit<Dependency, "path">[]) => {
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
  return ({ child, parent }: Dependency): boolean => targets.has(keyOf(child)) && targets.has(keyOf(parent));
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
  export: async ({ deps: { db }, owner }) => {
    const rows = await db.select().from(dependencies).where(ownedBy(dependencies, owner.teamId));
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
  parse: (sent: Sent, refuse) => {
    const given = dependenciesOf(sent);
    const isCyclic = cyclesOf(given);
    for (const one of given.filter(isCyclic)) refuse(one.path, "this would be a cycle");
    return sent;
  },
  references: ({ monitors, agents }, { one, record }) => {
    const parentsOf = (parents: Target[], path: string) =>
      parents.flatMap(({ type, id }, index) => {
        const here = one(PART_OF[type], id, `${path}.${index}`);
        return here === null ? [] : [{ type, id: here }];
      });
    return {
      monitors: record("monitors", monitors, "monitors", parentsOf),
      agents: record("agents", agents, "agents", parentsOf),
    };
  },
  import: async (sent, { deps: { db }, owner }) => {
    const given = dependenciesOf(sent);
    const existing = (await db.select().from(dependencies).where(ownedBy(dependencies, owner.teamId))).map((row) => ({
      child: { type: row.targetType, id: row.targetId },
      parent: { type: row.parentType, id: row.parentId },
    }));
    const stored = new Set(existing.map(({ child }) => keyOf(child)));
    const others = given.filter(({ child }) => !stored.has(keyOf(child)));
    const isCyclic = cyclesOf([...existing, ...others]);
    const added = others.filter((one) => !isCyclic(one));
    const edges = added.map(({ child, parent }) => ({
      ...madeBy(owner),
      targetType: child.type,
      targetId: child.id,
      parentType: parent.type,
      parentId: parent.id,
    }));
    await insertMany(db, dependencies, edges, { skipExisting: true });
    return { created: added.length, skipped: given.length - added.length };
  },
});
