/** Incidents of a team: written, changed and deleted. */
import { and, asc, desc, eq, gt, isNotNull, isNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import {
  incidentComponents,
  incidentPages,
  incidents,
  incidentUpdates,
  outages,
  statusPages,
} from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import type { ComponentStatus } from "../../../shared/status/components";
import { INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { invalidatePages } from "../cache";
import { newKey } from "../pages/find";
import { announceUpdate } from "../subscribers/announce";
import { readMeasured } from "./measured";
import { type IncidentBody, type IncidentsQuery, parsePast } from "./model";
import { readLatest, readPages, readPagesToChoose, readParts, readUpdates } from "./parts";
import { readComponentPlaces } from "./places";
import { type IncidentRow, presentIncident, presentSummary, type UpdateRow } from "./present";

export type Store = Pick<Deps, "db" | "clock" | "log">;
export type Writer = Viewer & { username: string };
type Sent = { id: number; status: ComponentStatus };

/** Incidents of a team that are over, at most in the table. */
const KEPT_PAST = 2000;

export const isIncident = (id: number) => eq(incidents.id, id);
export const refuse = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);
const uniqueIds = (components: readonly Sent[]) => [...new Map(components.map((one) => [one.id, one])).values()];

/** The state of an incident by its updates, given with the latest first. It ended at the first of its last updates that are `resolved`. */
export const stateOf = (updates: readonly Pick<UpdateRow, "status" | "at">[]) => {
  const open = updates.findIndex(({ status }) => status !== "resolved");
  const [resolved] = updates.slice(0, open === -1 ? updates.length : open).slice(-1);
  return { status: updates[0]?.status ?? "investigating", resolvedAt: resolved?.at ?? null };
};

/** @throws {AppError} not_found, also for another team's */
export const findIncident = async ({ db }: Pick<Store, "db">, teamId: number, id: number): Promise<IncidentRow> => {
  const [row] = await db
    .select()
    .from(incidents)
    .where(and(isIncident(id), ownedBy(incidents, teamId)));
  if (!row) throw notFound("Incident");
  return row;
};

export const presentOne = async (store: Pick<Store, "db">, row: IncidentRow) => {
  const updates = (await readUpdates(store, [row.id])).get(row.id) ?? [];
  return presentIncident(row, updates, (await readParts(store, [row.id]))(row.id));
};

/** @throws {AppError} not_found */
export const readIncident = async (store: Store, { teamId }: Viewer, id: number) =>
  presentOne(store, await findIncident(store, teamId, id));

/** The incidents of a team, the latest first, with their latest update, and the pages that they may be on. */
export const listIncidents = async (
  store: Store & Pick<Deps, "watching">,
  { teamId }: Viewer,
  query: IncidentsQuery,
) => {
  const { state, outage, limit = 50, offset = 0 } = query;
  const chosen = and(
    ownedBy(incidents, teamId),
    state && (state === "open" ? isNull(incidents.resolvedAt) : isNotNull(incidents.resolvedAt)),
    outage === undefined ? undefined : eq(incidents.outageId, outage),
  );
  const rows = await store.db
    .select()
    .from(incidents)
    .where(chosen)
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(limit)
    .offset(offset);
  const ids = rows.map(({ id }) => id);
  const [latest, partsOf] = [await readLatest(store, ids), await readParts(store, ids)];
  const open = rows.filter(({ resolvedAt }) => resolvedAt === null).map(({ id }) => partsOf(id));
  const stated = open.filter(({ components }) => components.length > 0);
  const measured = await readMeasured(store, teamId, [...new Set(stated.flatMap(({ pages }) => pages))]);
  const withMeasured = (row: IncidentRow) => {
    const parts = partsOf(row.id);
    if (row.resolvedAt !== null) return parts;
    return { ...parts, components: parts.components.map((one) => ({ ...one, measured: measured.get(one.id) })) };
  };
  return {
    incidents: rows.map((row) => presentSummary(row, latest.get(row.id), withMeasured(row))),
    total: await store.db.$count(incidents, chosen),
    pages: await readPagesToChoose(store, teamId),
  };
};

/** Runs a change of a team's incidents. */
export const changing = async <T>(store: Store, writer: Writer, change: (within: Store, now: number) => Promise<T>) => {
  const result = await store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(writer));
    return change({ ...store, db: tx }, store.clock.now());
  });
  invalidatePages(store.db);
  return result;
};

/** An incident in the log of changes. */
export const logged = ({ id, title, teamId }: IncidentRow) => ({
  object: { type: "incident" as const, id, name: title },
  teamId,
});

export const requireOpenRoom = async ({ db }: Pick<Store, "db">, teamId: number): Promise<void> => {
  const open = and(ownedBy(incidents, teamId), isNull(incidents.resolvedAt));
  if ((await db.$count(incidents, open)) >= LIMITS.open)
    throw new AppError("too_many_incidents", { limit: LIMITS.open });
};

/** Deletes the oldest incidents that are over beyond those that are kept. */
const trimPast = async ({ db }: Pick<Store, "db">, teamId: number): Promise<void> => {
  const past = and(ownedBy(incidents, teamId), isNotNull(incidents.resolvedAt));
  const [last] = await db
    .select({ id: incidents.id })
    .from(incidents)
    .where(past)
    .orderBy(desc(incidents.resolvedAt), desc(incidents.id))
    .limit(1)
    .offset(KEPT_PAST - 1);
  if (last) await db.delete(incidents).where(isIncident(last.id));
};

/** The pages and components of a request. @throws {AppError} validation for what the team does not have */
export const checkParts = async (
  store: Store,
  teamId: number,
  { pages: sentPages, components = [] }: { pages: readonly number[] | undefined; components?: readonly Sent[] },
) => {
  const known = await readPages(store, teamId);
  if (known.length === 0) throw refuse("pages", "there is no status page yet, publish one first");
  const pages = sentPages ? [...new Set(sentPages)] : known.map(({ id }) => id);
  if (pages.length === 0) throw refuse("pages", "expected the ids of status pages");
  for (const [index, id] of pages.entries())
    if (!known.some((page) => page.id === id)) throw refuse(`pages.${index}`, "no status page of yours has this id");
  const shown = new Set(
    known.filter(({ id }) => pages.includes(id)).flatMap((page) => page.components.map(({ id }) => id)),
  );
  for (const [index, { id }] of components.entries())
    if (!shown.has(id)) throw refuse(`components.${index}.id`, "no component of its pages has this id");
  return { pages, components: uniqueIds(components) };
};

export const writePages = async (
  { db }: Pick<Store, "db">,
  incidentId: number,
  pages: readonly number[],
): Promise<void> => {
  await db.delete(incidentPages).where(eq(incidentPages.incidentId, incidentId));
  if (pages.length > 0) await db.insert(incidentPages).values(pages.map((pageId) => ({ incidentId, pageId })));
};

export const writeComponents = async ({ db }: Pick<Store, "db">, incidentId: number, components: readonly Sent[]) => {
  await db.delete(incidentComponents).where(eq(incidentComponents.incidentId, incidentId));
  if (components.length > 0)
    await db
      .insert(incidentComponents)
      .values(components.map(({ id: componentId, status }) => ({ incidentId, componentId, status })));
};

type NewIncident = Pick<IncidentRow, "title" | "impact" | "startedAt" | "outageId"> & {
  /** Whether the hub writes it. */
  auto?: boolean;
  pages: readonly number[];
  components: readonly Sent[];
  updates: readonly (Pick<UpdateRow, "status" | "body" | "at" | "by"> & Partial<Pick<UpdateRow, "editedAt">>)[];
  /** Of an incident from a file: the name in its addresses, which is kept if it is free, and its times. */
  key?: string;
  createdAt?: number;
  updatedAt?: number;
};

/** Inserts an incident within a transaction that has locked its team. @throws {AppError} too_many_incidents */
export const insertIncident = async (
  store: Store,
  owner: Pick<Viewer, "id" | "teamId">,
  incident: NewIncident,
): Promise<IncidentRow> => {
  const { pages, components, updates, key, ...columns } = incident;
  const state = stateOf(updates.toSorted((one, other) => other.at - one.at));
  if (state.resolvedAt === null) await requireOpenRoom(store, owner.teamId);
  else await trimPast(store, owner.teamId);
  const now = store.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const isTaken = key === undefined || (await store.db.$count(incidents, eq(incidents.publicKey, key))) > 0;
  const publicKey = isTaken ? newKey() : key;
  const [row] = await store.db
    .insert(incidents)
    .values({ ...madeBy(owner), ...state, auto: false, ...times, ...columns, publicKey })
    .returning();
  const { id } = row as IncidentRow;
  await store.db
    .insert(incidentUpdates)
    .values(updates.map((update) => ({ editedAt: null, ...update, incidentId: id })));
  await writePages(store, id, pages);
  await writeComponents(store, id, components);
  return row as IncidentRow;
};

/** Announces the first update of an incident to the subscribers of its pages. */
const announceFirst = async (
  store: Store,
  { id }: Pick<IncidentRow, "id">,
  { pages, components }: { pages: readonly number[]; components: readonly Sent[] },
): Promise<void> => {
  const [first] = (await readUpdates(store, [id])).get(id) ?? [];
  if (first) await announceUpdate(store, first, { pages, before: [], after: components });
};

/** @throws {AppError} validation, also for an outage that the team does not have */
const requireOutage = async ({ db }: Store, teamId: number, id: number | undefined): Promise<void> => {
  if (id !== undefined && (await db.$count(outages, and(eq(outages.id, id), ownedBy(outages, teamId)))) === 0)
    throw refuse("outage_id", "no outage of yours has this id");
};

/** @throws {AppError} validation, too_many_incidents */
export const createIncident = (store: Store, writer: Writer, sent: IncidentBody) =>
  changing(store, writer, async (within, now) => {
    const { title, impact = "minor", status = "investigating", body, outage_id } = sent;
    const at = sent.at === undefined ? now : parsePast("at", sent.at, now);
    const startedAt = sent.started_at === undefined ? at : parsePast("started_at", sent.started_at, now);
    if (at < startedAt) throw refuse("at", "expected a time after the incident began");
    const parts = await checkParts(within, writer.teamId, { pages: sent.pages, components: sent.components ?? [] });
    await requireOutage(within, writer.teamId, outage_id);
    const update = { status, body, at, by: writer.username };
    const columns = { title: title.trim(), impact, startedAt, outageId: outage_id ?? null };
    const row = await insertIncident(within, writer, { ...columns, ...parts, updates: [update] });
    // An incident that is over when it is written is about the past.
    if (status !== "resolved" && sent.notify !== false) await announceFirst(within, row, parts);
    await recordChange(within, writer, { action: "created", ...logged(row), after: { title, impact, status } });
    return presentOne(within, row);
  });

/** @throws {AppError} not_found */
export const deleteIncident = (store: Store, writer: Writer, id: number): Promise<void> =>
  changing(store, writer, async (within, now) => {
    const row = await findIncident(within, writer.teamId, id);
    await recordChange(within, writer, { action: "deleted", ...logged(row) });
    const updates = (await readUpdates(within, [id])).get(id) ?? [];
    // The hub does not publish its incident again.
    if (updates.some(({ by }) => by === "")) {
      const { pages } = (await readParts(within, [id]))(id);
      await within.db.update(statusPages).set({ autoSince: now }).where(isOneOf(statusPages.id, pages));
    }
    await within.db.delete(incidents).where(isIncident(id));
  });

/** Incidents that are read at once for an exported file. */
const EXPORTED_AT_ONCE = 100;

/** The incidents of a team with their updates, the oldest first, as in an exported file. */
export async function* readExported(store: Pick<Store, "db">, teamId: number) {
  const places = await readComponentPlaces(store, teamId);
  for (let after = 0; ; ) {
    const rows = await store.db
      .select()
      .from(incidents)
      .where(and(ownedBy(incidents, teamId), gt(incidents.id, after)))
      .orderBy(asc(incidents.id))
      .limit(EXPORTED_AT_ONCE);
    const updates = await readUpdates(
      store,
      rows.map(({ id }) => id),
    );
    const partsOf = await readParts(
      store,
      rows.map(({ id }) => id),
    );
    for (const { id, title, impact, startedAt, createdAt, publicKey } of rows) {
      const { pages, components } = partsOf(id);
      yield {
        ...{ id, title, impact, started_at: isoTime(startedAt), created_at: isoTime(createdAt), key: publicKey, pages },
        components: components.flatMap(({ id, status }) => {
          const place = places.placeOf(id);
          return place ? [{ ...place, status }] : [];
        }),
        updates: (updates.get(id) ?? []).toReversed().map(({ status, body, at, by, editedAt }) => ({
          ...{ status, body, at: isoTime(at), by, edited_at: isoTimeOrNull(editedAt) },
        })),
      };
    }
    const last = rows.at(-1);
    if (!last || rows.length < EXPORTED_AT_ONCE) return;
    after = last.id;
  }
}
