/**
 * Dependencies in planning. When a target with parents goes down:
 *
 *   1. `holdForParents` withholds its event if an outage of a parent is known, which then explains it; otherwise the event
 *      is held until each parent has answered
 *   2. parent-checks.ts checks the parents that are monitors now
 *   3. `releaseHolds` ends the hold when all have answered, or one is down
 *   4. `releaseExplained` holds the event again when the outage that explains it is over: its target is checked once, and
 *      if it is still down, its event is planned as its own alert
 */
import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Statement } from "../../../../db/database";
import { deliveries, events, outages } from "../../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { isBroken, isClosing, outageKindOf } from "../../../../shared/notifications";
import { AGENT_WAIT, isDownOrOffline, readAnswers, readExplanations } from "../../dependencies/explanations";
import { keyOf, type Target } from "../../dependencies/service";
import type { PlannedEvent } from "./batch";
import { type Decision, type Stage, UNDECIDED } from "./stage";

/** How long the check of a monitor is awaited whose outage is not explained any more. */
const RECHECK_WAIT = 30 * SECOND;

type Subject = { targetType: Target["type"]; targetId: number };
const targetOf = ({ targetType, targetId }: Subject): Target => ({ type: targetType, id: targetId });

const isExplainable = ({ event }: PlannedEvent): boolean => isBroken(outageKindOf(event.kind));

const EXPLAINED = { event_id: "bigint", outage_id: "bigint", explained_by: "bigint" } as const;

/**
 * The statements that store what explains outages, by the event that opened each and unless that was planned, and move
 * what they explain themselves to the same outage.
 */
const storeExplanations = (rows: readonly [event: number, outage: number, explainedBy: number | null][]): SQL[] => {
  if (rows.length === 0) return [];
  const values = withValues("v", EXPLAINED, rows);
  const isUnplanned = sql`exists (select 1 from ${events} as e where e.id = v.event_id and e.planned_at is null)`;
  return [
    sql`${values} update ${outages} set explained_by = v.explained_by from v where ${outages.id} = v.outage_id and ${isUnplanned}`,
    sql`${values} update ${outages} set explained_by = v.explained_by from v
      where ${outages.explainedBy} = v.outage_id and v.explained_by is not null and ${outages.endedAt} is null and ${isUnplanned}`,
  ];
};

/** Holds events until the parents of their target have answered, and withholds those that a parent's outage explains. */
export const holdForParents: Stage = async (deps, batch) => {
  const explainable = batch.filter((planned) => planned.outage !== null && isExplainable(planned));
  if (explainable.length === 0) return UNDECIDED;
  const opening = explainable.filter(({ event, outage }) => !isClosing(event.kind) && outage?.endedAt === null);
  const explanations = await readExplanations(
    deps,
    opening.map(({ event }) => event),
  );
  const answerOf = await readAnswers(
    deps,
    [...explanations.values()].flatMap(({ parents }) => parents),
  );
  const decisions = new Map<number, Decision>();
  const explained: [number, number, number | null][] = [];
  // An outage that was explained until its end is sent to no channel, neither its beginning nor its end.
  for (const { event, outage } of explainable)
    if (outage?.endedAt != null && outage.explainedBy !== null) decisions.set(event.id, { withheld: "explained" });
  for (const { event, outage } of opening) {
    if (!outage) continue;
    const { parents = [], explainedBy = null } = explanations.get(keyOf(targetOf(event))) ?? {};
    if (explainedBy !== null) {
      decisions.set(event.id, { withheld: "explained" });
      explained.push([event.id, outage.id, explainedBy]);
      continue;
    }
    const awaited = parents.map(answerOf).filter(({ at }) => at < outage.startedAt);
    if (event.holdUntil === null && awaited.length > 0)
      decisions.set(event.id, { holdUntil: deps.clock.now() + Math.max(...awaited.map(({ wait }) => wait)) });
    else if (outage.explainedBy !== null) explained.push([event.id, outage.id, null]);
  }
  return { decisions, statements: () => storeExplanations(explained) };
};

/** The events that are held now, with their outages. */
const readHeld = ({ db, clock }: Pick<Deps, "db" | "clock">) =>
  db
    .select({ event: events, outage: outages })
    .from(events)
    .innerJoin(outages, eq(outages.id, events.outageId))
    .where(and(isNull(events.plannedAt), gt(events.holdUntil, clock.now()), isNull(outages.endedAt)))
    .orderBy(events.id);

/** A held event, and the targets whose answers it waits for. */
export type Held = { eventId: number; holdUntil: number; awaited: Target[] };

/** The events that are held. One whose outage was explained waits for its own target, and others for the parents. */
export const readHolds = async (deps: Pick<Deps, "db" | "clock">): Promise<Held[]> => {
  const now = deps.clock.now();
  const held = await readHeld(deps);
  if (held.length === 0) return [];
  const explanations = await readExplanations(
    deps,
    held.map(({ event }) => event),
  );
  const parentsOf = (event: Subject) => explanations.get(keyOf(targetOf(event)))?.parents ?? [];
  const answerOf = await readAnswers(
    deps,
    held.flatMap(({ event }) => [targetOf(event), ...parentsOf(event)]),
  );
  return held.map(({ event, outage }) => {
    const holdUntil = event.holdUntil ?? now;
    const hold = { eventId: event.id, holdUntil };
    const isExplained = explanations.get(keyOf(targetOf(event)))?.explainedBy != null;
    // The clock was set back where the hold is longer than any.
    if (isExplained || holdUntil > now + AGENT_WAIT) return { ...hold, awaited: [] };
    if (outage.explainedBy === null)
      return { ...hold, awaited: parentsOf(event).filter((parent) => answerOf(parent).at < outage.startedAt) };
    const own = targetOf(event);
    // A server that is offline reports when it can, which ends its outage.
    const isAwaited = own.type === "agent" || answerOf(own).at < holdUntil - RECHECK_WAIT;
    return { ...hold, awaited: isAwaited ? [own] : [] };
  });
};

/** Ends the holds of events that wait for nothing more. Gives whether some can be planned now. */
export const releaseHolds = async ({ db, clock }: Deps): Promise<boolean> => {
  const over = (await readHolds({ db, clock })).flatMap(({ eventId, awaited }) =>
    awaited.length === 0 ? [eventId] : [],
  );
  if (over.length === 0) return false;
  await db.atomically((tx) => [
    ...lockAlerts,
    tx
      .update(events)
      .set({ holdUntil: clock.now() })
      .where(and(isOneOf(events.id, over), isNull(events.plannedAt))),
  ]);
  return true;
};

/** The explained outages that are still open and whose stored explanation is wrong now, with the right one; null for none. */
const readChangedExplanations = async ({ db }: Pick<Deps, "db">) => {
  const rows = await db
    .select({ outage: outages, eventId: events.id, plannedAt: events.plannedAt })
    .from(outages)
    .leftJoin(
      events,
      and(
        eq(events.outageId, outages.id),
        eq(events.at, outages.startedAt),
        sql`${events.kind} in ('down', 'offline')`,
      ),
    )
    .where(and(isNotNull(outages.explainedBy), isNull(outages.endedAt), isDownOrOffline));
  // An event that is held again is planned by what explains its outage then.
  const settled = rows.filter(({ eventId, plannedAt }) => eventId === null || plannedAt !== null);
  const explanations = await readExplanations(
    { db },
    settled.map(({ outage }) => outage),
  );
  return settled.flatMap(({ outage, eventId }) => {
    const explainedBy = explanations.get(keyOf(targetOf(outage)))?.explainedBy ?? null;
    return explainedBy === outage.explainedBy ? [] : [{ outage, eventId, explainedBy }];
  });
};

/** Whether the explanation of an open outage is over, or is another one now. */
export const hasChangedExplanations = async (deps: Pick<Deps, "db">): Promise<boolean> =>
  (await readChangedExplanations(deps)).length > 0;

/**
 * Takes the outages whose explanation is over: its outage has ended or was deleted, or the dependency was removed. One
 * that another outage explains stays withheld; the events of the others are held until their target was checked again.
 */
export const releaseExplained = async ({ db, clock }: Deps): Promise<boolean> => {
  const found = await readChangedExplanations({ db });
  if (found.length === 0) return false;
  const now = clock.now();
  const moved = found.flatMap(({ outage, explainedBy }) => (explainedBy === null ? [] : [[outage.id, explainedBy]]));
  const open = found.filter(({ explainedBy }) => explainedBy === null);
  const held = open.flatMap(({ outage, eventId }) => {
    const wait = outage.targetType === "monitor" ? RECHECK_WAIT : AGENT_WAIT;
    return eventId === null ? [] : [[eventId, now + wait]];
  });
  const heldIds = held.flatMap(([id]) => id ?? []);
  // The event was deleted after its retention: there is nothing to send any more.
  const silent = open.flatMap(({ outage, eventId }) => (eventId === null ? [outage.id] : []));
  await db.atomically((tx): Statement[] => [
    ...lockAlerts,
    sql`${withValues("v", { outage_id: "bigint", explained_by: "bigint" }, moved)}
      update ${outages} set explained_by = v.explained_by from v where ${outages.id} = v.outage_id`,
    tx.update(outages).set({ explainedBy: null }).where(isOneOf(outages.id, silent)),
    tx
      .delete(deliveries)
      .where(
        and(
          isOneOf(deliveries.eventId, heldIds),
          eq(deliveries.state, "withheld"),
          sql`exists (select 1 from ${events} as e where e.id = ${deliveries.eventId} and e.planned_at is not null)`,
        ),
      ),
    sql`${withValues("v", { event_id: "bigint", hold_until: "bigint" }, held)}
      update ${events} set planned_at = null, hold_until = v.hold_until from v
      where ${events.id} = v.event_id and ${events.plannedAt} is not null`,
  ]);
  return false;
};
