import { type Static, t } from "elysia";
import { list, object, text } from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { INCIDENT_IMPACTS, INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { atMost, definePart } from "../../transfer/part";
import { bodyField, statusField, textModel, titleField } from "./model";
import { readPages } from "./parts";
import { Incident, IncidentUpdate } from "./present";
import { insertIncident, readExported } from "./service";
import { insertText, presentTextFields, readTexts, textFields } from "./texts";

/** The templates of incidents in an exported file. */
export const incidentTextsPart = definePart({
  key: "incident_texts",
  counted: "incident_texts",
  sent: field(t.Array(textModel, atMost(LIMITS.texts)), "Templates of incidents. Those that a user has are kept."),
  exported: list(object(textFields)),
  async *export({ deps, owner }) {
    for (const row of await readTexts(deps, owner.teamId)) yield presentTextFields(row);
  },
  parse: (sent: Static<typeof textModel>[]) => sent,
  import: async (sent, { deps, owner }) => {
    const keyOf = (one: Parameters<typeof presentTextFields>[0]) => JSON.stringify(presentTextFields(one));
    const taken = new Set((await readTexts(deps, owner.teamId)).map(keyOf));
    const isNew: boolean[] = [];
    for (const one of sent) {
      isNew.push(!taken.has(keyOf(one)));
      if (isNew.at(-1)) await insertText(deps, owner, one);
      taken.add(keyOf(one));
    }
    return { isNew, created: isNew.filter(Boolean).length };
  },
});

const TIME = t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" });
const sentIncident = t.Object({
  title: titleField,
  impact: oneOf(INCIDENT_IMPACTS),
  started_at: TIME,
  updates: t.Array(
    t.Object({ status: statusField, body: bodyField, at: TIME, by: t.Optional(t.String({ maxLength: 64 })) }),
    { ...atMost(LIMITS.updates), minItems: 1 },
  ),
});
type Sent = Static<typeof sentIncident>;

const updatesOf = ({ updates }: Sent) =>
  updates.map(({ status, body, at, by = "" }) => ({ status, body, at: Date.parse(at), by }));
const keyOf = (sent: Sent): string => JSON.stringify([sent.title, Date.parse(sent.started_at), updatesOf(sent)]);

const { status, body, at } = IncidentUpdate.properties;

/** Incidents that a file may hold. */
const MAX_INCIDENTS = 2500;

/** The incidents of an exported file, which come onto all status pages of the team, without their components. */
export const incidentsPart = definePart({
  key: "incidents",
  counted: "incidents",
  sent: field(
    t.Array(sentIncident, atMost(MAX_INCIDENTS)),
    "Incidents with their updates. They are left out where the team has no status page.",
  ),
  exported: list(
    object({
      title: Incident.properties.title,
      impact: Incident.properties.impact,
      started_at: Incident.properties.started_at,
      updates: list(object({ status, body, at, by: text("The username of its writer; empty for the hub.", "alice") })),
    }),
  ),
  async *export({ deps, owner }) {
    yield* readExported(deps, owner.teamId);
  },
  parse: (sent: Sent[], refuse) => {
    for (const [index, incident] of sent.entries())
      if (updatesOf(incident).some(({ at }) => at < Date.parse(incident.started_at)))
        refuse(`${index}.started_at`, "expected a time before its first update");
    return sent;
  },
  import: async (sent, { deps, owner }) => {
    const pages = (await readPages(deps, owner.teamId)).map(({ id }) => id);
    const taken = new Set<string>();
    for await (const one of readExported(deps, owner.teamId)) taken.add(keyOf(one));
    const isNew: boolean[] = [];
    for (const one of sent) {
      isNew.push(pages.length > 0 && !taken.has(keyOf(one)));
      taken.add(keyOf(one));
      if (!isNew.at(-1)) continue;
      const { title, impact, started_at } = one;
      const startedAt = Date.parse(started_at);
      await insertIncident(deps, owner, {
        ...{ title, impact, startedAt, outageId: null, pages, components: [], updates: updatesOf(one) },
      });
    }
    return { isNew, created: isNew.filter(Boolean).length };
  },
});
