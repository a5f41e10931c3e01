import { and, desc, eq, gte, isNull, or } from "drizzle-orm";
import { incidentPages, incidents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { DAY } from "../../../shared/limits";
import type { ComponentStatus } from "../../../shared/status/components";
import { PAST_DAYS } from "../../../shared/status-page";
import { readComponents, readUpdates } from "../incidents/parts";
import {
  type IncidentRow,
  type PublicIncident,
  presentPublic,
  type ShownComponent,
  type UpdateRow,
} from "../incidents/present";
import type { StatusPage } from "../pages/find";
import { worstOf } from "../statuspage/components";
import type { Section, Store } from "./section";

/** Incidents on a page at most, and updates of an open one; its own page has all of them. */
const [SHOWN, SHOWN_UPDATES] = [100, 10];

type Component = ShownComponent & {
  target: { monitors: number[]; agents: number[] };
  key: string;
  /** Whether it stands for an item in the lists of the page. */
  listed: boolean;
};
export type PublicIncidentRow = { row: IncidentRow; updates: UpdateRow[]; components: Component[] };

/** Incidents of a page with their updates and the components of that page. */
export const withDetails = async (
  store: Pick<Store, "db">,
  pageId: number,
  rows: readonly IncidentRow[],
): Promise<PublicIncidentRow[]> => {
  const ids = rows.map(({ id }) => id);
  const [updates, components] = [await readUpdates(store, ids), await readComponents(store, ids, pageId)];
  return rows.map((row) => ({ row, updates: updates.get(row.id) ?? [], components: components.get(row.id) ?? [] }));
};

const read = async (store: Store, page: StatusPage): Promise<PublicIncidentRow[]> => {
  const since = (Math.floor(store.clock.now() / DAY) - PAST_DAYS + 1) * DAY;
  const rows = await store.db
    .select({ incident: incidents })
    .from(incidents)
    .innerJoin(incidentPages, eq(incidentPages.incidentId, incidents.id))
    .where(and(eq(incidentPages.pageId, page.id), or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, since))))
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(SHOWN);
  return withDetails(
    store,
    page.id,
    rows.map(({ incident }) => incident),
  );
};

/** An incident of a page by its key, with all updates; null where the page does not show it. */
export const readPublicIncident = async (
  store: Store,
  page: StatusPage,
  key: string,
): Promise<PublicIncident | null> => {
  const rows = await store.db
    .select({ incident: incidents })
    .from(incidents)
    .innerJoin(incidentPages, eq(incidentPages.incidentId, incidents.id))
    .where(and(eq(incidentPages.pageId, page.id), isOneOf(incidents.publicKey, [key])));
  const [found] = await withDetails(
    store,
    page.id,
    rows.map(({ incident }) => incident),
  );
  return found ? presentPublic(found.row, found.updates, { components: found.components, slug: page.slug }) : null;
};

/** The states that open incidents give to the items of sections, by section and id: the worst where several do. */
export const statedBy = (rows: readonly PublicIncidentRow[]): ReadonlyMap<string, ComponentStatus> => {
  const stated = new Map<string, ComponentStatus>();
  for (const { row, components } of rows)
    if (row.resolvedAt === null)
      for (const { status, target, key: own, listed } of components) {
        const items = [...target.monitors.map((id) => `monitors ${id}`), ...target.agents.map((id) => `agents ${id}`)];
        const keys = listed ? items : [`components ${own}`];
        for (const key of keys) stated.set(key, worstOf([status, stated.get(key) ?? status]));
      }
  return stated;
};

/** Incidents that are open, or ended in the last days. */
export const incidentsSection: Section<"incidents", PublicIncidentRow, PublicIncident> = {
  key: "incidents",
  read,
  present: ({ row, updates, components }, { slug }) =>
    presentPublic(row, updates.slice(0, row.resolvedAt === null ? SHOWN_UPDATES : 1), { components, slug }),
  changedAt: ({ row }) => row.updatedAt,
};
