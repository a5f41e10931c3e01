/**
 * Uptime objectives of monitors. The objective of a monitor takes precedence over the objectives of its tags; of several tags,
 * the highest objective applies.
 */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, isNotNull, or, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import { madeBy, type Owner, ownedBy, ownerOf, type Viewer } from "../../../db/owner";
import { monitors, objectives, users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import {
  BURN_SPANS,
  type BurnRates,
  burnRate,
  type Budget as ErrorBudget,
  errorBudget,
  isBurning,
  MAX_OBJECTIVES,
  periodAt,
} from "../../../shared/outages/objectives";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { listTags, readTagged } from "../../tags/service";
import { readDowntimes } from "../history/uptime";
import { findMonitor } from "../service";
import type { Budget, Objective, ObjectiveBody } from "./model";

type Store = Pick<Deps, "db" | "clock" | "config">;
type Logged = Store & Pick<Deps, "log">;
export type Row = typeof objectives.$inferSelect;
/** Where an objective applies. */
export type Place = Pick<Row, "monitorId" | "tagId">;

/** The objectives of a user, oldest first. */
export const readRows = ({ db }: Pick<Deps, "db">, teamId: number): Promise<Row[]> =>
  db.select().from(objectives).where(ownedBy(objectives, teamId)).orderBy(asc(objectives.id)).limit(MAX_OBJECTIVES);

/** The objective that counts for each of these monitors; those without one are left out. */
export const readObjectives = async (deps: Pick<Deps, "db">, ids: readonly number[]): Promise<Map<number, Row>> => {
  const { monitorId, tagId, teamId } = objectives;
  const owned = await deps.db.select({ teamId: monitors.teamId }).from(monitors).where(isOneOf(monitors.id, ids));
  const isOfTag = and(isNotNull(tagId), isOneOf(teamId, [...new Set(owned.map((row) => row.teamId))]));
  const rows = await deps.db
    .select()
    .from(objectives)
    .where(or(isOneOf(monitorId, ids), isOfTag));
  const tagIds = rows.flatMap((row) => row.tagId ?? []);
  const tagged = await readTagged(deps, "monitor", tagIds);
  const byMonitor = new Map<number, Row>();
  for (const row of rows.toSorted((one, other) => one.target - other.target || one.id - other.id))
    for (const id of ids) if (row.tagId !== null && tagged.get(row.tagId)?.has(id)) byMonitor.set(id, row);
  for (const row of rows) if (row.monitorId !== null) byMonitor.set(row.monitorId, row);
  return byMonitor;
};

type Known = { objective: Row; zone: string; budget: ErrorBudget };

/** The error budget of each of these monitors that has an objective. */
export const readBudgets = async (store: Store, applied: ReadonlyMap<number, Row>): Promise<Map<number, Known>> => {
  const now = store.clock.now();
  const { id, timeZone } = users;
  const owners = [...new Set([...applied.values()].map(({ userId }) => userId))];
  const rows = await store.db.select({ id, timeZone }).from(users).where(isOneOf(id, owners));
  const zones = new Map(rows.map((row) => [row.id, row.timeZone ?? "UTC"]));
  const zoneOf = ({ userId }: Row) => zones.get(userId) ?? "UTC";
  const periodOf = (objective: Row) => periodAt(objective.period, zoneOf(objective), now);
  const spans = Object.entries(BURN_SPANS);
  const downtimes = await readDowntimes(
    store,
    new Map(
      [...applied].map(([id, objective]) => [
        id,
        [periodOf(objective), ...spans.map(([, length]) => ({ from: now - length, to: now }))],
      ]),
    ),
  );
  return new Map(
    [...downtimes].map(([id, [down = 0, ...recent]]) => {
      const objective = applied.get(id) as Row;
      const { from, to } = periodOf(objective);
      const rates = Object.fromEntries(
        spans.map(([name, length], index) => [name, burnRate(objective.target, recent[index] ?? 0, length)]),
      ) as BurnRates;
      const budget = { budget: errorBudget(objective.target, to - from), down, rates };
      return [id, { objective, zone: zoneOf(objective), budget }];
    }),
  );
};

const tagsById = async (deps: Store, teamId: number) =>
  new Map((await listTags(deps, teamId)).map(({ id, name, color }) => [id, { id, name, color }]));

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * The error budget of a monitor; null without an objective.
 * @throws {AppError} not_found
 */
export const readBudget = async (deps: Deps, viewer: Viewer, id: number): Promise<Static<typeof Budget> | null> => {
  const { monitor } = await findMonitor(deps, viewer, id);
  const known = (await readBudgets(deps, await readObjectives(deps, [id]))).get(id);
  if (!known) return null;
  const { objective, zone, budget } = known;
  const tags = objective.tagId === null ? null : await tagsById(deps, monitor.teamId);
  const [whole, down] = [Math.round(budget.budget / SECOND), Math.round(budget.down / SECOND)];
  return {
    target: objective.target,
    period: objective.period,
    alerts: objective.alerts,
    tag: (objective.tagId !== null && tags?.get(objective.tagId)) || null,
    zone,
    budget_seconds: whole,
    down_seconds: down,
    left_seconds: whole - down,
    burn_rate_1h: round(budget.rates["1h"]),
    burn_rate_6h: round(budget.rates["6h"]),
    state: budget.down >= budget.budget ? "missed" : isBurning(budget.rates, false) ? "burning" : "met",
  };
};

/** The objectives of a user. */
export const listObjectives = async (deps: Store, viewer: Viewer): Promise<Static<typeof Objective>[]> => {
  const rows = await readRows(deps, viewer.teamId);
  const ids = rows.flatMap(({ monitorId }) => monitorId ?? []);
  const { id, name } = monitors;
  const named = await deps.db.select({ id, name }).from(monitors).where(isOneOf(id, ids));
  const byId = new Map(named.map((monitor) => [monitor.id, monitor]));
  const tags = await tagsById(deps, viewer.teamId);
  return rows.map(({ id, monitorId, tagId, target, period, alerts }) => ({
    id,
    monitor: (monitorId !== null && byId.get(monitorId)) || null,
    tag: (tagId !== null && tags.get(tagId)) || null,
    ...{ target, period, alerts },
  }));
};

const isAt = ({ monitorId, tagId }: Place): SQL =>
  monitorId === null ? eq(objectives.tagId, tagId as number) : eq(objectives.monitorId, monitorId);

/** An objective as it is stored. */
export const completed = ({ target, period, alerts = true }: ObjectiveBody) => ({
  target: Math.round(target * 1000) / 1000,
  period,
  alerts,
});

/** The monitor or tag of an objective: its name, and whose it is. */
type Covered = { type: "monitor" | "tag"; id: number; name: string };
type Logging = { object: Covered; owner: Owner; viewer: Viewer };

const placeOf = ({ type, id }: Covered): Place =>
  type === "monitor" ? { monitorId: id, tagId: null } : { monitorId: null, tagId: id };

type Facts = Pick<Row, "target" | "period" | "alerts">;

/** Records a change of an objective as one of its monitor or tag. */
const record = (deps: Logged, { object, owner, viewer }: Logging, before?: Facts, after?: Facts): Promise<void> => {
  const factsOf = (facts: Facts | undefined) => ({
    ...{ objective: facts?.target, objectivePeriod: facts?.period, objectiveAlerts: facts?.alerts },
  });
  const change = { before: factsOf(before), after: factsOf(after) };
  return recordChange(deps, viewer, { action: "changed", object, teamId: owner.teamId, ...change });
};

const store = (deps: Logged, logging: Logging, body: ObjectiveBody): Promise<void> =>
  deps.db.transact(async (tx) => {
    const { owner, object } = logging;
    const place = placeOf(object);
    await lockOwner(tx, owner);
    const given = completed(body);
    const [stored] = await tx.select().from(objectives).where(isAt(place));
    await record({ ...deps, db: tx }, logging, stored, given);
    if (stored) {
      await tx.update(objectives).set(given).where(eq(objectives.id, stored.id));
      return;
    }
    if ((await tx.$count(objectives, ownedBy(objectives, owner.teamId))) >= MAX_OBJECTIVES)
      throw new AppError("too_many_objectives", { limit: MAX_OBJECTIVES });
    await tx.insert(objectives).values({ ...owner, ...place, ...given });
  });

const remove = (deps: Logged, logging: Logging): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [deleted] = await tx
      .delete(objectives)
      .where(isAt(placeOf(logging.object)))
      .returning();
    if (deleted) await record({ ...deps, db: tx }, logging, deleted);
  });

/** @throws {AppError} not_found */
const ofMonitor = async (deps: Deps, viewer: Viewer, id: number): Promise<Logging> => {
  const { monitor } = await findMonitor(deps, viewer, id);
  return { object: { type: "monitor", id, name: monitor.name }, owner: ownerOf(monitor), viewer };
};

/**
 * Sets the objective of a monitor.
 * @throws {AppError} not_found, too_many_objectives
 */
export const setObjective = async (deps: Deps, viewer: Viewer, id: number, body: ObjectiveBody): Promise<void> => {
  await store(deps, await ofMonitor(deps, viewer, id), body);
};

/** Removes a monitor's own objective; an objective of its tags applies then. @throws {AppError} not_found */
export const removeObjective = async (deps: Deps, viewer: Viewer, id: number): Promise<void> => {
  await remove(deps, await ofMonitor(deps, viewer, id));
};

/** @throws {AppError} not_found */
const ofTag = async (deps: Store, viewer: Viewer, id: number): Promise<Logging> => {
  const tag = (await tagsById(deps, viewer.teamId)).get(id);
  if (!tag) throw notFound("Tag");
  return { object: { type: "tag", id, name: tag.name }, owner: madeBy(viewer), viewer };
};

/**
 * Sets the objective of the monitors with a tag.
 * @throws {AppError} not_found, too_many_objectives
 */
export const setTagObjective = async (deps: Logged, viewer: Viewer, id: number, body: ObjectiveBody): Promise<void> => {
  await store(deps, await ofTag(deps, viewer, id), body);
};

/** Removes the objective of a tag. @throws {AppError} not_found */
export const removeTagObjective = async (deps: Logged, viewer: Viewer, id: number): Promise<void> => {
  await remove(deps, await ofTag(deps, viewer, id));
};
