/** The incidents of Better Stack, which become the outages of the monitors and heartbeats that they are about. */
import type { Interval } from "../../../../lib/intervals";
import type { HistoryOutage } from "../source";
import { clean, type Fields, numberIn, recordOf, textOf } from "../text";
import { flat, type Get, listOf, readPages } from "./resources";

/** Pages of 50 incidents that one import reads, the latest first. */
const MAX_PAGES = 100;
/** Characters of the reason of an outage. */
const MAX_REASON = 200;

type Incident = Omit<HistoryOutage, "id">;
type History = { span: Interval; outages: Incident[] };

const timeIn = (fields: Fields, name: string): number | null => {
  const at = Date.parse(textOf(fields, name));
  return Number.isFinite(at) ? at : null;
};

/** The external id of the monitor or heartbeat of an incident; empty for an incident of anything else. */
const targetOf = (incident: unknown): string => {
  const relationships = recordOf(recordOf(incident).relationships);
  const ids = ["monitor", "heartbeat"].map((type) => [
    type,
    clean(recordOf(recordOf(relationships[type]).data).id, 100),
  ]);
  return ids.find(([, id]) => id !== "")?.join(":") ?? "";
};

/** Causes of incidents that say that a certificate or a domain expires later: the target works until then. */
const WARNING = /\b(certificate|ssl|tls|domain)\b.*\b(will expire|expires|expiring|about to expire)\b/i;

/** The cause of an incident that is only a warning; null for any other. */
const warningOf = (incident: unknown): string | null => {
  const cause = clean(flat(incident).cause, MAX_REASON);
  return WARNING.test(cause) ? cause : null;
};

/** A cause of the incidents of each monitor or heartbeat, by its external id, that are no outages. */
export const warningsIn = (file: Fields): Map<string, string> =>
  new Map(
    listOf(file.incidents).flatMap((incident) => {
      const cause = warningOf(incident);
      return cause === null ? [] : [[targetOf(incident), cause] as const];
    }),
  );

/** A confirmed incident as an outage; warnings are left out. */
const outageOf = (incident: unknown): Incident[] => {
  const fields = flat(incident);
  const [from, to] = [timeIn(fields, "started_at"), timeIn(fields, "resolved_at")];
  if (warningOf(incident) !== null) return [];
  if (from === null || (to !== null && to <= from) || /^unconfirmed$/i.test(textOf(fields, "status"))) return [];
  return [{ from, to, text: clean(fields.cause, MAX_REASON) }];
};

/** Overlapping incidents, for example of several causes, are one outage. */
const merge = (incidents: readonly Incident[]): Incident[] => {
  const outages: Incident[] = [];
  for (const incident of incidents.toSorted((one, other) => one.from - other.from)) {
    const last = outages.at(-1);
    if (!last || (last.to !== null && last.to < incident.from)) outages.push({ ...incident });
    else if (last.to !== null) last.to = incident.to === null ? null : Math.max(last.to, incident.to);
  }
  return outages;
};

/** Reads the latest incidents of a span, with the part of the span that they are complete for. */
export const readIncidents = async (get: Get, { from, to }: Interval) => {
  const since = new Date(from).toISOString().slice(0, 10);
  const { data, isComplete } = await readPages(get, `/api/v3/incidents?from=${since}&per_page=50`, MAX_PAGES);
  const oldest = data.flatMap(outageOf).reduce((earliest, one) => Math.min(earliest, one.from), to);
  return { incidents: data, incidents_from: isComplete ? from : oldest, incidents_to: to };
};

/**
 * The outages of monitors and heartbeats by their external ids, with the span that each was watched in: since its creation,
 * until its last check or its pause. Without incidents in the file, nothing is known.
 */
export const historiesOf = (file: Fields, targets: ReadonlyMap<string, Fields>): Map<string, History> => {
  const [knownFrom, knownTo] = [numberIn(file, "incidents_from"), numberIn(file, "incidents_to")];
  const byTarget = Map.groupBy(listOf(file.incidents), targetOf);
  const histories = new Map<string, History>();
  for (const [externalId, target] of targets) {
    const created = timeIn(target, "created_at");
    if (knownFrom === null || knownTo === null || created === null || textOf(target, "status") === "pending") continue;
    const ends = ["paused_at", "last_checked_at"].map((name) => timeIn(target, name) ?? knownTo);
    const span = { from: Math.max(created, knownFrom), to: Math.min(knownTo, ...ends) };
    const outages = merge((byTarget.get(externalId) ?? []).flatMap(outageOf));
    if (span.from < span.to) histories.set(externalId, { span, outages });
  }
  return histories;
};
