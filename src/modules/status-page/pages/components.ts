/** The components of pages: their names, groups and targets. */
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { agents, monitors, pageComponents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { ComponentTarget } from "../../../shared/status/components";
import { readTagged } from "../tagged";
import type { PageRow, StatusPage } from "./find";

type Store = Pick<Deps, "db">;
export type ComponentRow = typeof pageComponents.$inferSelect;

/** The ids of existing monitors and servers that a component is about. */
export type Members = { monitors: readonly number[]; agents: readonly number[] };
export type PageComponent = {
  row: ComponentRow;
  /** The name that is shown. */
  label: string;
  group: string;
  members: Members;
  /** The targets that it has by their ids, with their names. */
  targets: { type: "monitor" | "agent"; id: number; name: string }[];
};

/** The names of a team's monitors or servers with these ids. */
const readNames = async (
  { db }: Store,
  teamId: number,
  table: typeof monitors | typeof agents,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(ownedBy(table, teamId), isOneOf(table.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export const readRows = ({ db }: Store, pageId: number): Promise<ComponentRow[]> =>
  db
    .select()
    .from(pageComponents)
    .where(eq(pageComponents.pageId, pageId))
    .orderBy(asc(pageComponents.position), asc(pageComponents.id));

/** The place and group of the target of a listed component in the lists of the page. */
const placesOf = ({ groups, monitors, agents }: PageRow) => {
  const places = new Map<string, { place: number; group: string }>();
  const add = (key: string, group: string) => {
    if (!places.has(key)) places.set(key, { place: places.size, group });
  };
  for (const { name, tag, ...ids } of groups) {
    for (const id of ids.monitors) if (monitors.includes(id)) add(`monitor ${id}`, name);
    for (const id of ids.agents) if (agents.includes(id)) add(`agent ${id}`, name);
    if (tag) add(`tag ${tag}`, name);
  }
  for (const id of monitors) add(`monitor ${id}`, "");
  for (const id of agents) add(`agent ${id}`, "");
  return ({ monitors: [monitor], agents: [agent], tag }: ComponentTarget) =>
    places.get(monitor ? `monitor ${monitor}` : agent ? `agent ${agent}` : `tag ${tag}`);
};

const unique = (ids: readonly number[], known: ReadonlyMap<number, string>) =>
  [...new Set(ids)].filter((id) => known.has(id));

/**
 * The components of a page: those that its lists name first, in their order, then its own ones. Deleted targets are left out,
 * with the listed components that stood for them.
 */
export const readComponents = async (store: Store, page: PageRow, rows?: ComponentRow[]): Promise<PageComponent[]> => {
  const all = rows ?? (await readRows(store, page.id));
  if (all.length === 0) return [];
  const tags = [...new Set(all.flatMap(({ target }) => target.tag ?? []))];
  const tagged = new Map<string, Members>();
  for (const tag of tags)
    tagged.set(tag, {
      monitors: await readTagged(store, page.teamId, "monitors", tag),
      agents: await readTagged(store, page.teamId, "agents", tag),
    });
  const idsOf = ({ target }: ComponentRow, part: keyof Members) => [
    ...target[part],
    ...((target.tag !== null && tagged.get(target.tag)?.[part]) || []),
  ];
  const names = {
    monitors: await readNames(
      store,
      page.teamId,
      monitors,
      all.flatMap((row) => idsOf(row, "monitors")),
    ),
    agents: await readNames(
      store,
      page.teamId,
      agents,
      all.flatMap((row) => idsOf(row, "agents")),
    ),
  };
  const placeOf = placesOf(page);
  const found = all.flatMap((row) => {
    const { target, listed, name } = row;
    const members = {
      monitors: unique(idsOf(row, "monitors"), names.monitors),
      agents: unique(idsOf(row, "agents"), names.agents),
    };
    const place = listed ? placeOf(target) : undefined;
    const isGone = listed && target.tag === null && members.monitors.length + members.agents.length === 0;
    if (isGone || (listed && !place)) return [];
    const [monitor = 0] = target.monitors;
    const [agent = 0] = target.agents;
    const label = name ?? names.monitors.get(monitor) ?? names.agents.get(agent) ?? place?.group ?? "";
    const named = (type: "monitor" | "agent", part: keyof Members) =>
      target[part].flatMap((id) => {
        const name = names[part].get(id);
        return name === undefined ? [] : [{ type, id, name }];
      });
    const targets = [...named("monitor", "monitors"), ...named("agent", "agents")];
    const shown = { label, group: place?.group ?? row.groupName };
    return [{ row, ...shown, members, targets, place: place?.place ?? all.length }];
  });
  return found.toSorted((one, other) => one.place - other.place);
};

/** The components that a page composes itself; none before it is saved. */
export const readOwnComponents = async (store: Store, page: StatusPage): Promise<PageComponent[]> => {
  if (page.updatedAt === null) return [];
  const own = page.drafts ?? (await readRows(store, page.id)).filter(({ listed }) => !listed);
  return readComponents(store, { ...page, updatedAt: page.updatedAt }, own);
};
