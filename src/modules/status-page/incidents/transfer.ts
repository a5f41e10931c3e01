import { type Static, t } from "elysia";
import { id, integer, list, nullable, object, oneOf as oneOfText, optional, text, time } from "../../../server/answers";
import { field, oneOf, whole } from "../../../server/schema";
import { COMPONENT_STATUSES, KEY_LETTERS, KEY_PATTERN, PAGE_LIMITS } from "../../../shared/status/components";
import { INCIDENT_IMPACTS, INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { atMost, definePart, fileId } from "../../transfer/part";
import { invalidatePages } from "../cache";
import { bodyField, statusField, textModel, titleField } from "./model";
import { readPages } from "./parts";
import { readComponentPlaces } from "./places";
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
const name = t.String({ maxLength: PAGE_LIMITS.name });
const sentIncident = t.Object({
  title: titleField,
  impact: oneOf(INCIDENT_IMPACTS),
  started_at: TIME,
  key: t.Optional(
    t.String({ maxLength: KEY_LETTERS, pattern: KEY_PATTERN, error: "expected 12 small letters and digits" }),
  ),
  created_at: t.Optional(TIME),
  pages: t.Optional(t.Array(fileId, atMost(LIMITS.pages))),
  components: t.Optional(
    t.Array(
      t.Object({
        page: fileId,
        name,
        group: t.Optional(name),
        nth: t.Optional(whole(1, PAGE_LIMITS.components)),
        status: oneOf(COMPONENT_STATUSES),
      }),
      atMost(LIMITS.components),
    ),
  ),
  updates: t.Array(
    t.Object({
      ...{ status: statusField, body: bodyField, at: TIME },
      by: t.Optional(t.String({ maxLength: 64 })),
      edited_at: t.Optional(t.Union([TIME, t.Null()])),
    }),
    { ...atMost(LIMITS.updates), minItems: 1 },
  ),
});
type Sent = Static<typeof sentIncident>;

const timeOf = (sent: string | null | undefined): number | null => (sent == null ? null : Date.parse(sent));
const updatesOf = ({ updates }: Pick<Sent, "updates">) =>
  updates.map(({ status, body, at, by = "", edited_at }) => ({
    ...{ status, body, at: Date.parse(at), by, editedAt: timeOf(edited_at) },
  }));
const keyOf = (sent: Pick<Sent, "title" | "started_at" | "updates">): string =>
  JSON.stringify([
    ...[sent.title, Date.parse(sent.started_at)],
    updatesOf(sent).map(({ editedAt: _, ...update }) => update),
  ]);

const { status, body, at } = IncidentUpdate.properties;

/** Incidents that a file may hold. */
const MAX_INCIDENTS = 2500;

/** The incidents of an exported file. Without pages, they come onto all status pages of the team. */
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
      ...{ started_at: Incident.properties.started_at, created_at: Incident.properties.created_at },
      key: text("Its name in public addresses, kept where it is free.", "kqzvhwmxbrtd"),
      pages: list(id("A page's id in the file.", 1), "The status pages that show it."),
      components: list(
        object({
          page: id("The id of its page in the file.", 1),
          name: text("Its name.", "Checkout"),
          group: text("The heading above it; empty for none.", "Shop"),
          nth: optional(integer("Which one of several with this name; the first by default.", 2)),
          status: oneOfText("Its state while the incident is open.", COMPONENT_STATUSES, "partial_outage"),
        }),
      ),
      updates: list(
        object({
          ...{ status, body, at, by: text("The username of its writer; empty for the hub.", "alice") },
          edited_at: nullable(time("When it was last changed."), null),
        }),
      ),
    }),
  ),
  async *export({ deps, owner }) {
    for await (const { id: _, ...incident } of readExported(deps, owner.teamId)) yield incident;
  },
  parse: (sent: Sent[], refuse) => {
    for (const [index, incident] of sent.entries())
      if (updatesOf(incident).some(({ at }) => at < Date.parse(incident.started_at)))
        refuse(`${index}.started_at`, "expected a time before its first update");
    return sent;
  },
  references: (incident, { list, one }) => ({
    ...incident,
    ...(incident.pages && { pages: list("pages", incident.pages, "pages") }),
    components: (incident.components ?? []).flatMap((component, index) => {
      const page = one("pages", component.page, `components.${index}.page`);
      return page === null ? [] : [{ ...component, page }];
    }),
  }),
  import: async (sent, { deps, owner, now }) => {
    const pages = (await readPages(deps, owner.teamId)).map(({ id }) => id);
    const componentsOf = await readComponentPlaces(deps, owner.teamId);
    const known = new Map<string, number>();
    for await (const one of readExported(deps, owner.teamId)) known.set(keyOf(one), one.id);
    const isNew: boolean[] = [];
    const ids: (number | null)[] = [];
    for (const one of sent) {
      const before = known.get(keyOf(one));
      isNew.push((one.pages ?? pages).length > 0 && before === undefined);
      if (!isNew.at(-1)) {
        ids.push(before ?? null);
        continue;
      }
      const { title, impact, started_at, key, created_at } = one;
      const startedAt = Date.parse(started_at);
      const updates = updatesOf(one);
      const changes = updates.flatMap(({ at, editedAt }) => [at, editedAt ?? at]);
      const { id } = await insertIncident(deps, owner, {
        ...{ title, impact, startedAt, outageId: null, updates },
        ...{ pages: one.pages ?? pages, components: componentsOf.ids(one.components ?? []) },
        ...(key !== undefined && { key }),
        createdAt: Math.min(now, timeOf(created_at) ?? startedAt),
        updatedAt: Math.min(now, Math.max(...changes)),
      });
      known.set(keyOf(one), id);
      ids.push(id);
    }
    return { ids, isNew, created: isNew.filter(Boolean).length, stored: ({ db }) => invalidatePages(db) };
  },
});
