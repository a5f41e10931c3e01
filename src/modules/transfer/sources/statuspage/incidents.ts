/** The incidents and the maintenance of a foreign status page. */
import { DAY, MINUTE } from "../../../../shared/limits";
import { WINDOW_LIMITS } from "../../../../shared/outages/maintenance";
import {
  INCIDENT_IMPACTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  INCIDENT_LIMITS as LIMITS,
} from "../../../../shared/status/incidents";
import { TAG_LIMITS } from "../../../../shared/tags";
import type { Item, Note } from "../source";
import { clean, type Fields, note, textOf } from "../text";
import { distinct, type ForeignComponent, idOf, keyIn, listIn, pastIn, statusOf, tagOf } from "./components";
import { markdownOf } from "./text";

type Page = { id: number; components: readonly ForeignComponent[]; now: number };

const iso = (time: number): string => new Date(time).toISOString();

/** A postmortem is written about an incident that is over. */
const incidentStatusOf = (value: unknown): IncidentStatus =>
  INCIDENT_STATUSES.find((status) => status === value) ?? (value === "postmortem" ? "resolved" : "investigating");

export const isOver = (incident: Fields): boolean => incidentStatusOf(incident.status) === "resolved";

type Update = { status: IncidentStatus; body: string; at: number; edited: number | null };

const updateOf = (update: Fields, now: number): Update[] => {
  const at = pastIn(update, "display_at", now) ?? pastIn(update, "created_at", now);
  const body = markdownOf(textOf(update, "body").slice(0, 4 * LIMITS.body)).slice(0, LIMITS.body);
  const edited = pastIn(update, "updated_at", now);
  const isEdited = at !== null && edited !== null && edited - at > MINUTE;
  return at === null || body.trim() === ""
    ? []
    : [{ status: incidentStatusOf(update.status), body, at, edited: isEdited ? edited : null }];
};

/** The components that an incident names, with the state that it gives them. */
const affectedBy = (incident: Fields, { components }: Page) => {
  const known = new Map(components.map((one) => [one.id, one]));
  return distinct(listIn(incident, "components"))
    .flatMap((sent) => {
      const one = known.get(idOf(sent));
      return one ? [{ ...one.place, status: statusOf(sent) ?? one.status }] : [];
    })
    .slice(0, LIMITS.components);
};

const incidentItem = (incident: Fields, page: Page): Item => {
  const { now } = page;
  const title = clean(incident.name, LIMITS.title);
  const item = {
    ...{ part: "incidents" as const, externalId: `incident:${idOf(incident)}`, name: title || "incident" },
    kind: "incident",
  };
  const read = distinct(listIn(incident, "incident_updates")).flatMap((update) => updateOf(update, now));
  const updates = read.toSorted((one, other) => one.at - other.at).slice(-LIMITS.updates);
  const [first] = updates;
  if (!first || title === "") return { ...item, content: null, notes: [note("invalid", "name, incident_updates")] };
  const started = pastIn(incident, "started_at", now) ?? pastIn(incident, "created_at", now) ?? first.at;
  // The last update may say less than the incident itself.
  if (isOver(incident) && updates.at(-1)?.status !== "resolved") {
    const at = Math.max(updates.at(-1)?.at ?? 0, pastIn(incident, "resolved_at", now) ?? 0);
    updates.push({ status: "resolved", body: "Resolved.", at, edited: null });
  }
  const notes: Note[] = read.length > updates.length ? [note("field_left_out", "incident_updates")] : [];
  return {
    ...item,
    content: {
      ...{ title, impact: INCIDENT_IMPACTS.find((impact) => impact === incident.impact) ?? "none" },
      started_at: iso(Math.min(started, first.at)),
      created_at: iso(pastIn(incident, "created_at", now) ?? started),
      ...{ pages: [page.id], components: affectedBy(incident, page), ...keyIn(incident) },
      updates: updates.slice(-LIMITS.updates).map(({ status, body, at, edited }) => ({
        ...{ status, body, at: iso(at), edited_at: edited === null ? null : iso(edited) },
      })),
    },
    notes,
  };
};

/** Incidents that one import takes. */
const MAX_INCIDENTS = 1000;

export const incidentItems = (incidents: readonly Fields[], page: Page): Item[] => {
  const items = incidents.slice(0, MAX_INCIDENTS).map((incident) => incidentItem(incident, page));
  const more = incidents.length - MAX_INCIDENTS;
  if (more <= 0) return items;
  const rest = {
    part: "incidents" as const,
    externalId: "incidents",
    name: `+${more}`,
    kind: "incident",
    content: null,
  };
  return [...items, { ...rest, notes: [note("too_many", MAX_INCIDENTS)] }];
};

/** The components of maintenance that is not over, which get a tag so that its window can be about them. */
export const maintained = (maintenance: Fields, { components }: Page): ForeignComponent[] => {
  const named = new Set(distinct(listIn(maintenance, "components")).map(idOf));
  return components.filter(({ id }) => named.has(id)).slice(0, TAG_LIMITS.perTarget);
};

export const isMaintenanceOver = (maintenance: Fields, now: number): boolean =>
  maintenance.status === "completed" || !(Date.parse(textOf(maintenance, "scheduled_until")) > now);

export const maintenanceItem = (maintenance: Fields, page: Page): Item => {
  const title = clean(maintenance.name, WINDOW_LIMITS.title);
  const item = {
    ...{ part: "windows" as const, externalId: `maintenance:${idOf(maintenance)}`, name: title || "maintenance" },
    kind: "maintenance",
  };
  const skip = (...notes: Note[]): Item => ({ ...item, content: null, notes });
  const [from, to] = ["scheduled_for", "scheduled_until"].map((name) => Date.parse(textOf(maintenance, name)));
  if (from === undefined || to === undefined || !(to > from))
    return skip(note("invalid", "scheduled_for, scheduled_until"));
  if (isMaintenanceOver(maintenance, page.now)) return skip(note("window_over"));
  // Wild times are no times.
  if (to > page.now + 3660 * DAY) return skip(note("invalid", "scheduled_until"));
  if (to - from > WINDOW_LIMITS.minutes * MINUTE) return skip(note("schedule_unsupported", "> 7 d"));
  const tags = [...new Set(maintained(maintenance, page).map(tagOf))];
  if (tags.length === 0) return skip(note("parent_left_out"));
  return { ...item, content: { title, tags, schedule: { kind: "once", from: iso(from), to: iso(to) } }, notes: [] };
};
