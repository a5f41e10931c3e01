import type { Static } from "@sinclair/typebox";
import type { incidents, incidentUpdates } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { boolean, component, id, list, nullable, object, oneOf, optional, text, time } from "../../../server/answers";
import { COMPONENT_STATUSES, type ComponentStatus } from "../../../shared/status/components";
import { INCIDENT_IMPACTS, INCIDENT_STATUSES } from "../../../shared/status/incidents";
import { renderMarkdown } from "./markdown";

export type IncidentRow = typeof incidents.$inferSelect;
export type UpdateRow = typeof incidentUpdates.$inferSelect;
export type ShownComponent = {
  id: number;
  name: string;
  status: ComponentStatus;
  measured?: ComponentStatus | undefined;
};

const status = oneOf("Its state.", INCIDENT_STATUSES);
const html = text("The text as HTML that is safe to show.", "<p>We are looking into it.</p>");

export const IncidentUpdate = component("IncidentUpdate", {
  id: id("The update's id.", 31),
  status,
  body: text("The text in Markdown.", "We are looking into it."),
  html,
  at: time("When it was so."),
  by: nullable(text("The username of its writer; null for the hub.", "alice")),
  edited_at: nullable(time("When it was last changed."), null),
  notified_at: nullable(time("When subscribers were notified of it; null if they were not."), null),
});

const AffectedComponent = object({
  id: id("The component's id.", 4),
  name: text("Its name.", "Payments API"),
  status: oneOf("Its state while the incident is open.", COMPONENT_STATUSES, "partial_outage"),
  measured: optional(oneOf("In lists of open incidents: its measured state.", COMPONENT_STATUSES)),
});

const incidentFields = {
  id: id("The incident's id.", 3),
  key: text("Its name in public addresses, below `/status/NAME/incidents/`.", "kqzvhwmxbrtd"),
  title: text("What is wrong.", "Payments fail"),
  impact: oneOf("How much it affects.", INCIDENT_IMPACTS, "major"),
  status,
  started_at: time("When it began."),
  resolved_at: nullable(time("When it was over; null while it is open."), null),
  outage_id: nullable(id("The outage that it is about, if there is one.", 12), null),
  auto: boolean("Whether the hub writes its updates.", false),
  pages: list(id("A page's id.", 1), "The status pages that show it."),
  components: list(AffectedComponent),
  created_at: time("When it was written."),
  updated_at: time("When it was last changed; a later one for each change."),
};
export const IncidentSummary = component("IncidentSummary", { ...incidentFields, latest: nullable(IncidentUpdate) });
export const Incident = component("Incident", { ...incidentFields, updates: list(IncidentUpdate, "Newest first.") });

const presentUpdate = (row: UpdateRow): Static<typeof IncidentUpdate> => ({
  id: row.id,
  status: row.status,
  body: row.body,
  html: renderMarkdown(row.body),
  at: isoTime(row.at),
  by: row.by || null,
  edited_at: isoTimeOrNull(row.editedAt),
  notified_at: isoTimeOrNull(row.notifiedAt),
});

type Parts = { pages: number[]; components: ShownComponent[] };

const presentFields = (row: IncidentRow, { pages, components }: Parts) => ({
  id: row.id,
  key: row.publicKey,
  title: row.title,
  impact: row.impact,
  status: row.status,
  started_at: isoTime(row.startedAt),
  resolved_at: isoTimeOrNull(row.resolvedAt),
  outage_id: row.outageId,
  auto: row.auto,
  ...{ pages, components },
  created_at: isoTime(row.createdAt),
  updated_at: isoTime(row.updatedAt),
});

export const presentIncident = (
  row: IncidentRow,
  updates: readonly UpdateRow[],
  parts: Parts,
): Static<typeof Incident> => ({ ...presentFields(row, parts), updates: updates.map(presentUpdate) });

export const presentSummary = (
  row: IncidentRow,
  latest: UpdateRow | undefined,
  parts: Parts,
): Static<typeof IncidentSummary> => ({
  ...presentFields(row, parts),
  latest: latest ? presentUpdate(latest) : null,
});

/** An update as visitors see it. */
const PublicUpdate = object({
  status,
  html,
  at: time("When it was so."),
  edited_at: nullable(time("When it was last changed."), null),
});
export const PublicIncident = component("PublicIncident", {
  key: incidentFields.key,
  path: text("The path of its page.", "/status/alice/incidents/kqzvhwmxbrtd"),
  title: incidentFields.title,
  impact: incidentFields.impact,
  status,
  started_at: incidentFields.started_at,
  resolved_at: incidentFields.resolved_at,
  updated_at: incidentFields.updated_at,
  components: list(object({ name: AffectedComponent.properties.name, status: AffectedComponent.properties.status })),
  updates: list(PublicUpdate, "Newest first."),
});
export type PublicIncident = Static<typeof PublicIncident>;

/** The path of an incident below the page with a slug. */
export const incidentPath = (slug: string, key: string): string =>
  `/status/${encodeURIComponent(slug)}/incidents/${key}`;

export const presentPublic = (
  row: IncidentRow,
  updates: readonly UpdateRow[],
  { components, slug }: { components: readonly ShownComponent[]; slug: string },
): PublicIncident => ({
  key: row.publicKey,
  path: incidentPath(slug, row.publicKey),
  title: row.title,
  impact: row.impact,
  status: row.status,
  started_at: isoTime(row.startedAt),
  resolved_at: isoTimeOrNull(row.resolvedAt),
  updated_at: isoTime(row.updatedAt),
  components: components.map(({ name, status }) => ({ name, status })),
  updates: updates.map(({ status, body, at, editedAt }) => ({
    ...{ status, html: renderMarkdown(body), at: isoTime(at), edited_at: isoTimeOrNull(editedAt) },
  })),
});
