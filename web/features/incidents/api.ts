import { api, isMissing, payload } from "../../api";
import { resource, resourceFamily } from "../../lib/resource";

/** Open incidents that are listed at most, and past ones. */
const [OPEN, PAST] = [200, 50];

const readIncidents = async () => {
  const [open, past, { texts }] = await Promise.all([
    payload(api.incidents.get({ query: { state: "open", limit: OPEN } })),
    payload(api.incidents.get({ query: { state: "resolved", limit: PAST } })),
    payload(api.incidents.texts.get()),
  ]);
  return { open: open.incidents, past: past.incidents, pages: open.pages, texts };
};

/** The incidents of the team with their latest updates, its status pages and its templates. */
export const incidentsAtom = resource(readIncidents);
export type Incidents = Awaited<ReturnType<typeof readIncidents>>;
export type IncidentSummary = Incidents["open"][number];
export type IncidentPage = Incidents["pages"][number];
export type IncidentText = Incidents["texts"][number];

const readIncident = async (id: string) => (await payload(api.incidents({ id: Number(id) }).get())).incident;

/** An incident with all its updates. */
export const incidentAtom = resourceFamily(readIncident, { isFinal: isMissing });
export type Incident = Awaited<ReturnType<typeof readIncident>>;
export type Update = Incident["updates"][number];

type NewIncident = Parameters<typeof api.incidents.post>[0];
export type Affected = NonNullable<NewIncident["components"]>;

export const publishIncident = (body: NewIncident) => payload(api.incidents.post(body));

type One = ReturnType<typeof api.incidents>;
export const changeIncident = (id: number, body: Parameters<One["put"]>[0]) => payload(api.incidents({ id }).put(body));

export const deleteIncident = (id: number) => payload(api.incidents({ id }).delete());

export const postUpdate = (id: number, body: Parameters<One["updates"]["post"]>[0]) =>
  payload(api.incidents({ id }).updates.post(body));

export const changeUpdate = (id: number, update: number, body: Parameters<ReturnType<One["updates"]>["put"]>[0]) =>
  payload(api.incidents({ id }).updates({ update }).put(body));

type TextBody = Parameters<typeof api.incidents.texts.post>[0];
export const saveText = (body: TextBody, id?: number) =>
  id === undefined ? payload(api.incidents.texts.post(body)) : payload(api.incidents.texts({ id }).put(body));

export const deleteText = (id: number) => payload(api.incidents.texts({ id }).delete());
