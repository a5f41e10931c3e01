/** Changes of incidents and their updates. Of two people who change one at once, the second is refused. */
import { eq } from "drizzle-orm";
import { AppError, notFound } from "../../../core/errors";
import { incidents, incidentUpdates } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { recordChange } from "../../accounts/audit/record";
import { announceUpdate } from "../subscribers/announce";
import { type IncidentChangeBody, parsePast, type UpdateBody, type UpdateChangeBody } from "./model";
import { readParts, readUpdates } from "./parts";
import type { IncidentRow, UpdateRow } from "./present";
import {
  changing,
  checkParts,
  findIncident,
  isIncident,
  logged,
  presentOne,
  refuse,
  requireOpenRoom,
  type Store,
  stateOf,
  type Writer,
  writeComponents,
  writePages,
} from "./service";

/** An incident that is changed: its row, and its updates with the latest first. */
type Changed = { row: IncidentRow; updates: UpdateRow[]; now: number };
/** Its new columns, and what the log of changes says of the rest. */
type Outcome = { columns?: Partial<IncidentRow>; before?: object; after?: object };

/**
 * Changes an incident, unless another version than `updated_at` is stored.
 * @throws {AppError} not_found, incident_changed
 */
const changeIncident = (
  store: Store,
  writer: Writer,
  { id, updated_at }: { id: number; updated_at: string | undefined },
  change: (within: Store, changed: Changed) => Promise<Outcome>,
) =>
  changing(store, writer, async (within, now) => {
    const row = await findIncident(within, writer.teamId, id);
    if (updated_at !== undefined && Date.parse(updated_at) !== row.updatedAt)
      throw new AppError("incident_changed", {}, { current: await presentOne(within, row) });
    const updates = (await readUpdates(within, [id])).get(id) ?? [];
    const { columns = {}, before = {}, after = {} } = await change(within, { row, updates, now });
    const [changed = row] = await within.db
      .update(incidents)
      .set({ ...columns, updatedAt: Math.max(now, row.updatedAt + 1) })
      .where(isIncident(id))
      .returning();
    const factsOf = ({ title, impact, status, startedAt }: IncidentRow) => ({
      ...{ title, impact, status, startedAt: isoTime(startedAt) },
    });
    const facts = { before: { ...factsOf(row), ...before }, after: { ...factsOf(changed), ...after } };
    await recordChange(within, writer, { action: "changed", ...logged(changed), ...facts });
    return presentOne(within, changed);
  });

/** The new columns of an incident whose updates have changed. @throws {AppError} too_many_incidents when it opens again */
const stateAfter = async (store: Store, row: IncidentRow): Promise<Partial<IncidentRow>> => {
  const state = stateOf((await readUpdates(store, [row.id])).get(row.id) ?? []);
  if (state.resolvedAt === null && row.resolvedAt !== null) await requireOpenRoom(store, row.teamId);
  return state;
};

/** Changes the fields of an incident. @throws {AppError} not_found, validation, incident_changed */
export const updateIncident = (store: Store, writer: Writer, id: number, sent: IncidentChangeBody) =>
  changeIncident(store, writer, { id, updated_at: sent.updated_at }, async (within, { row, updates, now }) => {
    const { title = row.title, impact = row.impact, started_at } = sent;
    const startedAt = started_at === undefined ? row.startedAt : parsePast("started_at", started_at, now);
    if (updates.some(({ at }) => at < startedAt)) throw refuse("started_at", "expected a time before its first update");
    const before = (await readParts(within, [id]))(id);
    const parts = await checkParts(within, row.teamId, {
      pages: sent.pages ?? before.pages,
      ...(sent.components && { components: sent.components }),
    });
    await writePages(within, id, parts.pages);
    if (sent.components) await writeComponents(within, id, parts.components);
    const after = (await readParts(within, [id]))(id);
    return { columns: { title: title.trim(), impact, startedAt }, before, after };
  });

/** Adds an update. @throws {AppError} not_found, validation, incident_changed, too_many_updates, too_many_incidents */
export const addUpdate = (store: Store, writer: Writer, id: number, sent: UpdateBody) =>
  changeIncident(store, writer, { id, updated_at: sent.updated_at }, async (within, { row, updates, now }) => {
    if (updates.length >= LIMITS.updates) throw new AppError("too_many_updates", { limit: LIMITS.updates });
    // Without a time it is the latest, also where the clock was set back.
    const at = sent.at === undefined ? Math.max(now, updates[0]?.at ?? 0) : parsePast("at", sent.at, now);
    if (at < row.startedAt) throw refuse("at", "expected a time after the incident began");
    const { status, body, notify = true } = sent;
    const [update] = await within.db
      .insert(incidentUpdates)
      .values({ incidentId: id, status, body, at, by: writer.username, editedAt: null })
      .returning({ id: incidentUpdates.id });
    const before = (await readParts(within, [id]))(id);
    if (sent.components) {
      const wanted = { pages: before.pages, components: sent.components };
      await writeComponents(within, id, (await checkParts(within, row.teamId, wanted)).components);
    }
    const isLatest = at >= (updates[0]?.at ?? 0);
    if (notify && update && isLatest) {
      const after = (await readParts(within, [id]))(id);
      const statedBy = (isOpen: boolean, { components }: typeof after) => (isOpen ? components : []);
      await announceUpdate(
        within,
        { id: update.id, at },
        {
          pages: after.pages,
          before: statedBy(row.resolvedAt === null, before),
          after: statedBy(status !== "resolved", after),
        },
      );
    }
    return { columns: { ...(await stateAfter(within, row)), auto: false }, after: { update: body } };
  });

/** Changes an update, which has a mark then. @throws {AppError} not_found, validation, incident_changed */
export const changeUpdate = (
  store: Store,
  writer: Writer,
  { id, update: updateId }: { id: number; update: number },
  sent: UpdateChangeBody,
) =>
  changeIncident(store, writer, { id, updated_at: sent.updated_at }, async (within, { row, updates, now }) => {
    const update = updates.find((one) => one.id === updateId);
    if (!update) throw notFound("Update");
    const at = sent.at === undefined ? update.at : parsePast("at", sent.at, now);
    if (at < row.startedAt) throw refuse("at", "expected a time after the incident began");
    const { status = update.status, body = update.body } = sent;
    const isSame = status === update.status && body === update.body && at === update.at;
    if (!isSame)
      await within.db
        .update(incidentUpdates)
        .set({ status, body, at, editedAt: now })
        .where(eq(incidentUpdates.id, updateId));
    return {
      columns: { ...(await stateAfter(within, row)), auto: false },
      ...(!isSame && { before: { update: update.body, at: update.at }, after: { update: body, at } }),
    };
  });
