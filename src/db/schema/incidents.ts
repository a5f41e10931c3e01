import type { ComponentStatus } from "../../shared/status/components";
import type { IncidentImpact, IncidentStatus } from "../../shared/status/incidents";
import { kit } from "../columns";
import { owner } from "./accounts";
import { pageComponents, statusPages } from "./pages";

/** Incidents that people write for the visitors of status pages. Their status and end follow from their latest update. */
export const incidents = kit.table(
  "incidents",
  {
    id: kit.id(),
    ...owner(),
    title: kit.text().notNull(),
    impact: kit.text().$type<IncidentImpact>().notNull(),
    status: kit.text().$type<IncidentStatus>().notNull(),
    startedAt: kit.long().notNull(),
    /** Null while it is open. */
    resolvedAt: kit.long(),
    /** The outage that it was written about, which may be deleted by now. */
    outageId: kit.long(),
    /** Whether the hub publishes its updates, until a person writes the first. */
    auto: kit.flag().notNull(),
    /** Letters that name it in public addresses. */
    publicKey: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** Grows with every change, also within a millisecond. */
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.unique("incidents_public_key_unique").on(t.publicKey),
    kit.index("incidents_team_id_resolved_at_index").on(t.teamId, t.resolvedAt),
    kit.index("incidents_user_id_index").on(t.userId),
    kit.index("incidents_outage_id_index").on(t.outageId),
  ],
);

export const incidentUpdates = kit.table(
  "incident_updates",
  {
    id: kit.id(),
    incidentId: kit
      .long()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    status: kit.text().$type<IncidentStatus>().notNull(),
    /** Markdown. */
    body: kit.text().notNull(),
    /** The time that it is about, which its writer may set back. */
    at: kit.long().notNull(),
    /** The username of its writer; empty for the hub. */
    by: kit.text().notNull(),
    editedAt: kit.long(),
    /** When subscribers were first notified of it; null: they are not. */
    notifiedAt: kit.long(),
  },
  (t) => [kit.index("incident_updates_incident_id_at_index").on(t.incidentId, t.at)],
);

/** The status pages that show an incident. */
export const incidentPages = kit.table(
  "incident_pages",
  {
    incidentId: kit
      .long()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    pageId: kit
      .long()
      .notNull()
      .references(() => statusPages.id, { onDelete: "cascade" }),
  },
  (t) => [
    kit.primaryKey({ columns: [t.incidentId, t.pageId] }),
    kit.index("incident_pages_page_id_index").on(t.pageId),
  ],
);

/** The states of components while an incident is open. */
export const incidentComponents = kit.table(
  "incident_components",
  {
    incidentId: kit
      .long()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    componentId: kit
      .long()
      .notNull()
      .references(() => pageComponents.id, { onDelete: "cascade" }),
    status: kit.text().$type<ComponentStatus>().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.incidentId, t.componentId] }),
    kit.index("incident_components_component_id_index").on(t.componentId),
  ],
);

/** Templates of incidents. */
export const incidentTexts = kit.table(
  "incident_texts",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    status: kit.text().$type<IncidentStatus>().notNull(),
    title: kit.text().notNull(),
    body: kit.text().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("incident_texts_team_id_index").on(t.teamId),
    kit.index("incident_texts_user_id_index").on(t.userId),
  ],
);
