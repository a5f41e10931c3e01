/**
 * Dependencies in planning. When a target with parents goes down:
 *
 *   1. next.ts withholds its event if an outage of a parent is known, which then explains it; otherwise the event is held
 *      until each parent has answered
 *   2. `createParentChecks` checks the parents that are monitors now
 *   3. `releaseHolds` ends the hold when all have answered, or one is down
 *   4. `releaseExplained` holds the event again when the outage that explains it is over: its target is checked once, and
 *      if it is still down, its event is planned as its own alert
 */
import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { deliveries, events, outages } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { isBroken, isClosing, outageKindOf } from "../../../../shared/notifications";
import { AGENT_WAIT, isDownOrOffline, readAnswers, readExplanations } from "../../dependencies/explanations";
import { keyOf, type Target } from "../../dependencies/service";
import type { Subject as PlanSubject, State } from "./state";

/** How long the check of a monitor is awaited whose outage is not explained any more. */
const RECHECK_WAIT = 30 * SECOND;

type Subject = { targetType: Target["type"]; targetId: number };
const targetOf = ({ targetType, targetId }: Subject): Target => ({ type: targetType, id: targetId });

/** What explains the open outages that these subjects begin, and the last answers of the parents of their targets. */
export const readDependencies = async (
  deps: Pick<Deps, "db" | "clock">,
  batch: readonly Pick<PlanSubject, "event" | "outage">[],
): Promise<(event: Subject) => State["dependencies"]> => {
  const opening = batch.flatMap(({ event, outage }) =>
    outage?.endedAt === null && isBroken(outageKindOf(event.kind)) && !isClosing(event.kind) ? [event] : [],
  );
  const explanations = await readExplanations(deps, opening);
  const parents = [...explanations.values()].flatMap((one) => one.parents);
  const answerOf = await readAnswers(deps, parents);
  return (event) => {
    const explanation = explanations.get(keyOf(targetOf(event)));
    return { explainedBy: explanation?.explainedBy ?? null, answers: (explanation?.parents ?? []).map(answerOf) };
  };
};

/** Stores which outage explains others, and moves the open ones that these explain to the same outage. */
export const explainOutages = async (
  db: Deps["db"],
  rows: readonly (readonly [outage: number, explainedBy: number | null])[],
): Promise<void> => {
  if (rows.length === 0) return;
  const values = withValues("v", { outage_id: "bigint", explained_by: "bigint" }, rows);
  await db.atomically(() => [
    sql`${values} update ${outages} set explained_by = v.explained_by from v where ${outages.id} = v.outage_id`,
    sql`${values} update ${outages} set explained_by = v.explained_by from v
      where ${outages.explainedBy} = v.outage_id and v.explained_by is not null and ${outages.endedAt} is null`,
  ]);
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
type Held = { eventId: number; holdUntil: number; awaited: Target[] };

/** The held events. An event whose outage was explained waits for its own target, others for the parents. */
const readHolds = async (deps: Pick<Deps, "db" | "clock">): Promise<Held[]> => {
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

/** Ends the holds of events that wait for nothing more. Returns whether some can be planned now. */
export const releaseHolds = async (deps: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const held = await readHolds(deps);
  const over = held.flatMap(({ eventId, awaited }) => (awaited.length === 0 ? [eventId] : []));
  if (over.length === 0) return false;
  await deps.db.update(events).set({ holdUntil: deps.clock.now() }).where(isOneOf(events.id, over));
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
 * Returns the outages whose explanation is over: the explaining outage has ended or was deleted, or the dependency was
 * removed. An outage with another explanation stays withheld; events of the others are held until their target was checked
 * again.
 */
export const releaseExplained = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const changed = await readChangedExplanations({ db });
  if (changed.length === 0) return;
  await explainOutages(
    db,
    changed.flatMap(({ outage, eventId, explainedBy }) =>
      // Without its event, which was deleted after its retention, there is nothing to send any more.
      explainedBy !== null || eventId === null ? [[outage.id, explainedBy] as const] : [],
    ),
  );
  const now = clock.now();
  const held = changed.flatMap(({ outage, eventId, explainedBy }) =>
    explainedBy === null && eventId !== null
      ? [[eventId, now + (outage.targetType === "monitor" ? RECHECK_WAIT : AGENT_WAIT)] as const]
      : [],
  );
  const ids = held.map(([id]) => id);
  await db.delete(deliveries).where(and(isOneOf(deliveries.eventId, ids), eq(deliveries.state, "withheld")));
  await db.rows(sql`${withValues("v", { event_id: "bigint", hold_until: "bigint" }, held)}
    update ${events} set planned_at = null, hold_until = v.hold_until from v where ${events.id} = v.event_id`);
};

/** Checks a monitor now; fulfilled when the result is stored. */
export type CheckNow = (monitorId: number) => Promise<unknown>;

/** Monitors that are checked at the same time. The others are checked when these have their results. */
const MAX_RUNNING = 200;

const keyOfCheck = ({ eventId, holdUntil }: Held, monitorId: number) => `${eventId} ${holdUntil} ${monitorId}`;

/**
 * Checks the monitors whose answers held events wait for, once for each hold. `onAnswer` is called after each check. A
 * process that starts while events are held checks them again.
 */
export const createParentChecks = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  checkNow: CheckNow,
  onAnswer: () => void,
) => {
  const running = new Set<number>();
  /** The holds and monitors whose check was started. */
  let started = new Set<string>();

  const check = async (id: number): Promise<void> => {
    running.add(id);
    try {
      await checkNow(id);
    } catch (error) {
      // The hold ends at its time all the same.
      deps.log.debug("a monitor that held alerts depend on could not be checked", {
        monitor: id,
        error: describeError(error),
      });
    }
    running.delete(id);
    onAnswer();
  };

  return async (): Promise<void> => {
    const holds = await readHolds(deps);
    const open = holds.flatMap((hold) =>
      hold.awaited.flatMap(({ type, id }) => (type === "monitor" ? [{ id, key: keyOfCheck(hold, id) }] : [])),
    );
    started = new Set(open.flatMap(({ key }) => (started.has(key) ? [key] : [])));
    for (const { id, key } of open) {
      if (started.has(key) || running.has(id) || running.size >= MAX_RUNNING) continue;
      // All holds that wait for this monitor have their answer by one check.
      for (const other of open) if (other.id === id) started.add(other.key);
      void check(id);
    }
  };
};
