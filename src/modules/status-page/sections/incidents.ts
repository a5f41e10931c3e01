import type { Static } from "@sinclair/typebox";
import { and, asc, desc, eq, gte, isNull, or } from "drizzle-orm";
import { incidentComponents, incidentPages, incidents, pageComponents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { list, nullable, object, optional, text, time } from "../../../server/answers";
import { DAY } from "../../../shared/limits";
import type { ComponentStatus } from "../../../shared/status/components";
import { PAST_DAYS } from "../../../shared/status-page";
import { readComponents, readUpdates } from "../incidents/parts";
import {
  type IncidentRow,
  incidentPath,
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
/** Marks of incidents above bars. */
const MARKS = 1000;

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

/** The items of sections that a component stands for, each as its section and id. */
const itemsOf = ({ target, key, listed }: Pick<Component, "target" | "key" | "listed">): string[] =>
  listed
    ? [...target.monitors.map((id) => `monitors ${id}`), ...target.agents.map((id) => `agents ${id}`)]
    : [`components ${key}`];

/** A state that an open incident gives, and when that incident began. */
type Stated = { status: ComponentStatus; since: number };

/**
 * The states that open incidents give to the items of sections, by section and id: the worst where several do, since the first of
 * those that give it.
 */
export const statedBy = (rows: readonly PublicIncidentRow[]): ReadonlyMap<string, Stated> => {
  const stated = new Map<string, Stated>();
  const add = (key: string, one: Stated) => {
    const known = stated.get(key) ?? one;
    const isWorse = worstOf([one.status, known.status]) !== known.status;
    if (isWorse) stated.set(key, one);
    else if (one.status === known.status) stated.set(key, { ...known, since: Math.min(known.since, one.since) });
  };
  for (const { row, components } of rows)
    if (row.resolvedAt === null)
      for (const { status, ...component } of components)
        for (const key of itemsOf(component)) add(key, { status, since: row.startedAt });
  return stated;
};

/** An incident above the bar of an item. */
const IncidentMark = object({
  path: text("The path of its page.", "/status/alice/incidents/kqzvhwmxbrtd"),
  title: text("What was wrong.", "Payments fail"),
  from: time("When it began."),
  to: nullable(time("When it was over; null while it is open."), null),
});
export const marksField = optional(list(IncidentMark, "The incidents of the days of its bar, oldest first."));
type Mark = Static<typeof IncidentMark>;

/** Reads the incidents of a page since a time, by the items that they name: their sections and ids. */
export const readMarks = async (store: Store, page: StatusPage, since: number): Promise<Map<string, Mark[]>> => {
  const { publicKey, title, startedAt, resolvedAt } = incidents;
  const rows = await store.db
    .select({
      ...{ incidentKey: publicKey, title, startedAt, resolvedAt },
      ...{ key: pageComponents.key, target: pageComponents.target, listed: pageComponents.listed },
    })
    .from(incidentComponents)
    .innerJoin(pageComponents, eq(pageComponents.id, incidentComponents.componentId))
    .innerJoin(incidents, eq(incidents.id, incidentComponents.incidentId))
    .innerJoin(incidentPages, and(eq(incidentPages.incidentId, incidents.id), eq(incidentPages.pageId, page.id)))
    .where(and(eq(pageComponents.pageId, page.id), or(isNull(resolvedAt), gte(resolvedAt, since))))
    .orderBy(asc(startedAt), asc(incidents.id))
    .limit(MARKS);
  const marks = new Map<string, Mark[]>();
  for (const { incidentKey, title, startedAt, resolvedAt, ...component } of rows) {
    const path = incidentPath(page.slug, incidentKey);
    const mark = { path, title, from: isoTime(startedAt), to: isoTimeOrNull(resolvedAt) };
    // Servers have no bars.
    for (const key of itemsOf(component))
      if (!key.startsWith("agents ")) marks.set(key, [...(marks.get(key) ?? []), mark]);
  }
  return marks;
};

/** Incidents that are open, or ended in the last days. */
export const incidentsSection: Section<"incidents", PublicIncidentRow, PublicIncident> = {
  key: "incidents",
  read,
  present: ({ row, updates, components }, { slug }) =>
    presentPublic(row, updates.slice(0, row.resolvedAt === null ? SHOWN_UPDATES : 1), { components, slug }),
  changedAt: ({ row }) => row.updatedAt,
};
