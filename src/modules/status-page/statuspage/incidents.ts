import { desc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { incidentPages, incidents } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import type { ComponentStatus } from "../../../shared/status/components";
import type { PageRow } from "../pages/find";
import { type PublicIncidentRow, withDetails } from "../sections/incidents";
import { derivedKey, worstOf } from "./components";
import type { StatuspageComponent, StatuspageIncident } from "./shapes";

/** Incidents in the documents at most: open ones come before others. */
const MAX_INCIDENTS = 50;

/** The presented components of a page, by the ids of their rows, and its address. Incidents are below `named`, its address by its slug. */
export type Presented = { components: ReadonlyMap<number, StatuspageComponent>; url: string; named: string };

const presentUpdate = (
  { row }: PublicIncidentRow,
  { id, status, body, at, editedAt }: PublicIncidentRow["updates"][number],
): StatuspageIncident["incident_updates"][number] => ({
  ...{ id: derivedKey(`update ${row.publicKey} ${id}`), status, body, incident_id: row.publicKey },
  ...{ created_at: isoTime(at), updated_at: isoTime(editedAt ?? at), display_at: isoTime(at) },
  ...{ affected_components: null, deliver_notifications: false },
});

const present = (page: PageRow, incident: PublicIncidentRow, { components, named }: Presented): StatuspageIncident => {
  const { row, updates } = incident;
  return {
    ...{ id: row.publicKey, name: row.title, status: row.status, impact: row.impact, page_id: page.key },
    ...{ created_at: isoTime(row.createdAt), updated_at: isoTime(row.updatedAt), started_at: isoTime(row.startedAt) },
    monitoring_at: isoTimeOrNull(updates.findLast(({ status }) => status === "monitoring")?.at ?? null),
    resolved_at: isoTimeOrNull(row.resolvedAt),
    shortlink: `${named}/incidents/${row.publicKey}`,
    incident_updates: updates.map((update) => presentUpdate(incident, update)),
    components: incident.components.flatMap(({ id }) => components.get(id) ?? []),
  };
};

/** Reads the statuses that open incidents give to components, by their rows, and how incidents are presented. */
export const readIncidents = async (store: Pick<Deps, "db">, page: PageRow) => {
  const found = await store.db
    .select({ incident: incidents })
    .from(incidents)
    .innerJoin(incidentPages, eq(incidentPages.incidentId, incidents.id))
    .where(eq(incidentPages.pageId, page.id))
    .orderBy(
      sql`case when ${incidents.resolvedAt} is null then 0 else 1 end`,
      desc(incidents.startedAt),
      desc(incidents.id),
    )
    .limit(MAX_INCIDENTS);
  const rows = await withDetails(
    store,
    page.id,
    found
      .map(({ incident }) => incident)
      .toSorted((one, other) => other.startedAt - one.startedAt || other.id - one.id),
  );
  const statuses = new Map<number, ComponentStatus>();
  for (const { row, components } of rows)
    if (row.resolvedAt === null)
      for (const { id, status } of components) statuses.set(id, worstOf([status, statuses.get(id) ?? status]));
  return { statuses, present: (presented: Presented) => rows.map((row) => present(page, row, presented)) };
};
