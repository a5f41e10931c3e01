/** Pages, components and updates of incidents. */
import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import {
  agents,
  incidentComponents,
  incidentPages,
  incidentUpdates,
  monitors,
  pageComponents,
  statusPages,
} from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { readSubscriberCounts } from "../subscribers/announce";
import type { ShownComponent, UpdateRow } from "./present";

type Store = Pick<Deps, "db">;
type Component = Pick<typeof pageComponents.$inferSelect, "id" | "name" | "target">;

const readNames = async ({ db }: Store, table: typeof monitors | typeof agents, ids: number[]) => {
  if (ids.length === 0) return new Map<number, string>();
  const rows = await db.select({ id: table.id, name: table.name }).from(table).where(isOneOf(table.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** The names of components: their own, or else the name of their first target or tag. */
const readComponentNames = async (store: Store, components: readonly Component[]): Promise<Map<number, string>> => {
  const unnamed = components.filter(({ name }) => name === null).map(({ target }) => target);
  const ofMonitors = await readNames(
    store,
    monitors,
    unnamed.flatMap((target) => target.monitors.slice(0, 1)),
  );
  const ofAgents = await readNames(
    store,
    agents,
    unnamed.flatMap((target) => target.agents.slice(0, 1)),
  );
  return new Map(
    components.map(({ id, name, target }) => [
      id,
      name ?? ofMonitors.get(target.monitors[0] ?? 0) ?? ofAgents.get(target.agents[0] ?? 0) ?? target.tag ?? "",
    ]),
  );
};

/** The pages of a team with their components, the first page first. */
export const readPages = async (store: Store, teamId: number) => {
  const pages = await store.db
    .select({ id: statusPages.id, slug: statusPages.slug, title: statusPages.title })
    .from(statusPages)
    .where(ownedBy(statusPages, teamId))
    .orderBy(asc(statusPages.id));
  const components = await store.db
    .select()
    .from(pageComponents)
    .where(ownedBy(pageComponents, teamId))
    .orderBy(asc(pageComponents.position), asc(pageComponents.id));
  const names = await readComponentNames(store, components);
  return pages.map((page) => ({
    ...page,
    components: components
      .filter(({ pageId, id }) => pageId === page.id && names.get(id) !== "")
      .map(({ id, target }) => ({
        ...{ id, name: names.get(id) ?? "" },
        ...{ monitors: target.monitors, agents: target.agents },
      })),
  }));
};

/** The pages that incidents may be on, with what their writer chooses from. */
export const readPagesToChoose = async (store: Store, teamId: number) => {
  const pages = await readPages(store, teamId);
  const counts = await readSubscriberCounts(
    store,
    pages.map(({ id }) => id),
  );
  return pages.map((page) => ({ ...page, subscribers: counts.get(page.id) ?? 0 }));
};

const byIncident = <T extends { incidentId: number }>(rows: readonly T[]) =>
  Map.groupBy(rows, ({ incidentId }) => incidentId);

/** The components of incidents with their names and states, limited to one page if it is given. */
export const readComponents = async (store: Store, ids: readonly number[], pageId?: number) => {
  const rows = await store.db
    .select({
      incidentId: incidentComponents.incidentId,
      status: incidentComponents.status,
      ...{ id: pageComponents.id, name: pageComponents.name, target: pageComponents.target },
      ...{ key: pageComponents.key, listed: pageComponents.listed },
    })
    .from(incidentComponents)
    .innerJoin(pageComponents, eq(pageComponents.id, incidentComponents.componentId))
    .where(
      and(
        isOneOf(incidentComponents.incidentId, ids),
        pageId === undefined ? undefined : eq(pageComponents.pageId, pageId),
      ),
    )
    .orderBy(asc(pageComponents.position), asc(pageComponents.id));
  const names = await readComponentNames(store, rows);
  const named = rows.map((row) => ({ ...row, name: names.get(row.id) ?? "" })).filter(({ name }) => name !== "");
  return byIncident(named);
};

/** The pages and components of incidents. */
export const readParts = async (store: Store, ids: readonly number[]) => {
  const pages = byIncident(
    await store.db
      .select()
      .from(incidentPages)
      .where(isOneOf(incidentPages.incidentId, ids))
      .orderBy(asc(incidentPages.pageId)),
  );
  const components = await readComponents(store, ids);
  return (id: number): { pages: number[]; components: ShownComponent[] } => ({
    pages: (pages.get(id) ?? []).map(({ pageId }) => pageId),
    components: (components.get(id) ?? []).map(({ id, name, status }) => ({ id, name, status })),
  });
};

/** The updates of incidents, the latest first. */
export const readUpdates = async ({ db }: Store, ids: readonly number[]): Promise<Map<number, UpdateRow[]>> =>
  byIncident(
    await db
      .select()
      .from(incidentUpdates)
      .where(isOneOf(incidentUpdates.incidentId, ids))
      .orderBy(desc(incidentUpdates.at), desc(incidentUpdates.id)),
  );

/** The latest update of each incident. */
export const readLatest = async ({ db }: Store, ids: readonly number[]): Promise<Map<number, UpdateRow>> => {
  const { incidentId, id } = incidentUpdates;
  const latest = sql`${id} = (select later.id from ${incidentUpdates} as later where later.incident_id = ${incidentId}
    order by later.at desc, later.id desc limit 1)`;
  const rows = await db
    .select()
    .from(incidentUpdates)
    .where(and(isOneOf(incidentId, ids), latest));
  return new Map(rows.map((row) => [row.incidentId, row]));
};
