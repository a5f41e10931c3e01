import { type Static, t } from "elysia";
import { validation } from "../../../core/errors";
import { field, oneOf, whole } from "../../../server/schema";
import { COMPONENT_STATUSES } from "../../../shared/status/components";
import { INCIDENT_IMPACTS, INCIDENT_STATUSES, INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";

const TIME = t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" });
export const lines = (maxLength: number) =>
  t.String({ minLength: 1, maxLength, pattern: "\\S", error: `expected a text of at most ${maxLength} characters` });

export const titleField = field(lines(LIMITS.title), "What is wrong, in a few words.", "Payments fail");
export const bodyField = field(
  lines(LIMITS.body),
  "Markdown without HTML and pictures; links lead to http, https and mailto addresses.",
  "We are looking into it.",
);
export const statusField = oneOf(INCIDENT_STATUSES);
const impact = oneOf(INCIDENT_IMPACTS);
const version = t.Optional(
  field(
    t.String({ maxLength: 40 }),
    "The `updated_at` of the incident that was read: if it was changed since, nothing is saved, and the answer is `incident_changed`.",
  ),
);

const notify = t.Optional(
  field(
    t.Boolean({ error: "expected true or false" }),
    "Whether subscribers get it: they do by default, unless it is about the past.",
    true,
  ),
);
const startedAt = field(TIME, "When it began, not later than its first update.");
const at = field(TIME, "When it was so: now by default, and not before the incident began.");
const ids = (description: string) =>
  field(
    t.Array(whole(1, Number.MAX_SAFE_INTEGER), {
      maxItems: LIMITS.pages,
      error: `expected a list of at most ${LIMITS.pages} ids`,
    }),
    description,
  );
const components = field(
  t.Array(
    t.Object({
      id: field(whole(1, Number.MAX_SAFE_INTEGER), "The component's id.", 4),
      status: field(oneOf(COMPONENT_STATUSES), "Its state while the incident is open.", "partial_outage"),
    }),
    { maxItems: LIMITS.components, error: `expected a list of at most ${LIMITS.components} components` },
  ),
  "Components of its pages with the state that they show while it is open, in place of the measured one.",
  [],
);

export const incidentModel = t.Object({
  title: titleField,
  impact: t.Optional(field(impact, "`minor` by default.", "major")),
  status: t.Optional(
    field(
      statusField,
      "Of its first update: `investigating` by default. `resolved` for one that is over.",
      "investigating",
    ),
  ),
  body: bodyField,
  started_at: t.Optional({ ...startedAt, description: "When it began: at the time of its first update by default." }),
  at: t.Optional(at),
  pages: t.Optional(ids("The ids of the status pages that show it; all of the team by default.")),
  components: t.Optional(components),
  notify,
  outage_id: t.Optional(field(whole(1, Number.MAX_SAFE_INTEGER), "The outage that it is about.")),
});
export type IncidentBody = Static<typeof incidentModel>;

export const incidentChangeModel = t.Object({
  title: t.Optional(titleField),
  impact: t.Optional(field(impact, "How much it affects.", "critical")),
  started_at: t.Optional(startedAt),
  pages: t.Optional(ids("The ids of the status pages that show it.")),
  components: t.Optional(components),
  updated_at: version,
});
export type IncidentChangeBody = Static<typeof incidentChangeModel>;

export const updateModel = t.Object({
  status: field(statusField, "The state of the incident from then on.", "identified"),
  body: bodyField,
  at: t.Optional(at),
  components: t.Optional({ ...components, description: "The new states of components, in place of those before." }),
  notify,
  updated_at: version,
});
export type UpdateBody = Static<typeof updateModel>;

export const updateChangeModel = t.Object({
  status: t.Optional(field(statusField, "Its state.", "identified")),
  body: t.Optional(bodyField),
  at: t.Optional(at),
  updated_at: version,
});
export type UpdateChangeBody = Static<typeof updateChangeModel>;

export const textModel = t.Object({
  name: field(lines(LIMITS.textName), "Its name in the editor.", "Payments"),
  status: field(statusField, "The state that it sets.", "investigating"),
  title: field(
    t.String({ maxLength: LIMITS.title, error: `expected a text of at most ${LIMITS.title} characters` }),
    "The title of a new incident; may be empty. `{{component}}`, `{{since}}` and `{{duration}}` are replaced in the editor.",
    "{{component}} is not available",
  ),
  body: bodyField,
});
export type TextBody = Static<typeof textModel>;

export const incidentsQuery = t.Object({
  state: t.Optional(field(oneOf(["open", "resolved"]), "Only these.", "open")),
  outage: t.Optional(field(whole(1, Number.MAX_SAFE_INTEGER), "Only those about this outage.")),
  limit: t.Optional(field(whole(1, 200), "1 to 200; 50 by default.")),
  offset: t.Optional(field(whole(0, 1_000_000), "How many to skip.")),
});
export type IncidentsQuery = Static<typeof incidentsQuery>;

/** How far a time in a request may be ahead of the hub's clock, in milliseconds. */
const AHEAD = 60_000;

/** A time of a request. @throws {AppError} validation for times to come */
export const parsePast = (path: string, sent: string, now: number): number => {
  const time = Date.parse(sent);
  if (!(time <= now + AHEAD))
    throw validation([{ path, message: `${path}: expected a time that is not in the future` }]);
  return Math.max(0, Math.min(time, now));
};
