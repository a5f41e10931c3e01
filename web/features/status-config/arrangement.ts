import type { Body } from "./api";

/** A monitor or server that the page shows. */
export type Item = { kind: "monitors" | "agents"; id: number };
/** One group with its items; the last part has no name and holds the items in no group. */
export type Part = { name: string | null; tag?: string; items: Item[] };
export type Place = { part: number; place: number };
type Arranged = Pick<Body, "monitors" | "agents" | "groups">;

const itemsOf = (kind: Item["kind"], ids: readonly number[]): Item[] => ids.map((id) => ({ kind, id }));

/** The groups of a configuration with their items. */
export const partsOf = ({ monitors, agents, groups }: Arranged): Part[] => {
  const chosen = { monitors: new Set(monitors), agents: new Set(agents) };
  const take = (kind: Item["kind"], ids: readonly number[]) =>
    itemsOf(
      kind,
      ids.filter((id) => chosen[kind].delete(id)),
    );
  const named = groups.map((group) => ({
    name: group.name,
    ...(group.tag && { tag: group.tag }),
    items: [...take("monitors", group.monitors), ...take("agents", group.agents)],
  }));
  return [...named, { name: null, items: [...take("monitors", monitors), ...take("agents", agents)] }];
};

const idsOf = (items: readonly Item[], wanted: Item["kind"]): number[] =>
  items.filter(({ kind }) => kind === wanted).map(({ id }) => id);

/** The configuration that shows the parts. */
export const arrange = (parts: readonly Part[]): Arranged => {
  const all = parts.flatMap(({ items }) => items);
  return {
    monitors: idsOf(all, "monitors"),
    agents: idsOf(all, "agents"),
    groups: parts.flatMap(({ name, tag, items }) =>
      name === null
        ? []
        : [{ name, ...(tag && { tag }), monitors: idsOf(items, "monitors"), agents: idsOf(items, "agents") }],
    ),
  };
};

/** Moves an item before the item at a place; within a part, monitors stay before servers. */
export const moveItem = (parts: readonly Part[], from: Place, to: Place): Part[] => {
  const item = parts[from.part]?.items[from.place];
  if (!item || !parts[to.part]) return [...parts];
  const taken = parts.map((part, index) =>
    index === from.part ? { ...part, items: part.items.toSpliced(from.place, 1) } : part,
  );
  return taken.map((part, index) => {
    if (index !== to.part) return part;
    const items = part.items.toSpliced(to.place, 0, item);
    return {
      ...part,
      items: [...items.filter(({ kind }) => kind === "monitors"), ...items.filter(({ kind }) => kind === "agents")],
    };
  });
};

/** Moves an item by one place, up (-1) or down (1): past another of its kind, else into the neighbouring part. */
export const stepItem = (parts: readonly Part[], from: Place, step: -1 | 1): Part[] => {
  const items = parts[from.part]?.items ?? [];
  if (items[from.place + step]?.kind === items[from.place]?.kind)
    return moveItem(parts, from, { part: from.part, place: from.place + step });
  const part = from.part + step;
  return moveItem(parts, from, { part, place: step < 0 ? (parts[part]?.items.length ?? 0) : 0 });
};

/** Moves a group by one place; the items in no group stay last. */
export const stepGroup = (parts: readonly Part[], at: number, step: -1 | 1): Part[] => {
  const [group, other] = [parts[at], parts[at + step]];
  if (!group || !other || other.name === null) return [...parts];
  return parts.with(at, other).with(at + step, group);
};

/** Adds an empty group before the items in no group. */
export const addGroup = (parts: readonly Part[], name: string): Part[] => parts.toSpliced(-1, 0, { name, items: [] });

/** Removes a group; its items are in no group then. */
export const removeGroup = (parts: readonly Part[], at: number): Part[] => {
  const { monitors, agents, groups } = arrange(parts);
  return partsOf({ monitors, agents, groups: groups.toSpliced(at, 1) });
};

/** The place of an item. */
export const placeOf = (parts: readonly Part[], { kind, id }: Item): Place | undefined => {
  for (const [part, { items }] of parts.entries()) {
    const place = items.findIndex((item) => item.kind === kind && item.id === id);
    if (place >= 0) return { part, place };
  }
  return undefined;
};
