/**
 * Dependencies in planning. When a target with parents goes down:
 *
 *   1. decide.ts withholds its event if an outage of a parent is known, which then explains it; otherwise the event is held
 *      until each parent has answered, or one is down
 *   2. `createParentChecks` checks the parents that are monitors now
 *   3. decide.ts holds the event again when the outage that explains it is over: its target is checked once, and if it is
 *      still down, its event is planned as its own alert
 */
import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { events, outageEventColumns, outages } from "../../../../db/schema";
import { withValues } from "../../../../db/sql";
import { isBroken, isClosing, outageKindOf } from "../../../../shared/notifications";
import { isDownOrOffline, readAnswers, readExplanations } from "../../dependencies/explanations";
import { keyOf, type Target } from "../../dependencies/service";
import { awaitedOf } from "./decide";
import type { Event, Subject as PlanSubject, State } from "./state";

/** Held events that are read at a time. */
const PAGE_SIZE = 500;

type Subject = { targetType: Target["type"]; targetId: number };
const targetOf = ({ targetType, targetId }: Subject): Target => ({ type: targetType, id: targetId });

/** What explains the open outages that these subjects begin, and the last answers of their parents and of those explained. */
export const readDependencies = async (
  deps: Pick<Deps, "db" | "clock">,
  batch: readonly Pick<PlanSubject, "event" | "outage">[],
): Promise<(event: Subject) => State["dependencies"]> => {
  const open = batch.filter(
    ({ event, outage }) => outage?.endedAt === null && isBroken(outageKindOf(event.kind)) && !isClosing(event.kind),
  );
  const explanations = await readExplanations(
    deps,
    open.map(({ event }) => event),
  );
  const parents = [...explanations.values()].flatMap((one) => one.parents);
  const explained = open.flatMap(({ event, outage }) => (outage?.explainedBy === null ? [] : [targetOf(event)]));
  const answerOf = await readAnswers(deps, [...parents, ...explained]);
  const withTarget = (target: Target) => ({ ...answerOf(target), target });
  return (event) => {
    const explanation = explanations.get(keyOf(targetOf(event)));
    return {
      explainedBy: explanation?.explainedBy ?? null,
      answers: (explanation?.parents ?? []).map(withTarget),
      own: withTarget(targetOf(event)),
    };
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

/** A held event, and the targets whose answers it waits for. */
type HeldEvent = { event: Event; awaited: Target[] };

/** The events that are held now, by pages. */
async function* readHeldEvents(deps: Pick<Deps, "db" | "clock">): AsyncGenerator<HeldEvent[]> {
  const now = deps.clock.now();
  for (let [last, size] = [0, PAGE_SIZE]; size === PAGE_SIZE; ) {
    const isHeld = and(isNull(events.plannedAt), gt(events.waitUntil, now), isNull(outages.endedAt));
    const rows = await deps.db
      .select({ event: outageEventColumns, outage: outages })
      .from(events)
      .innerJoin(outages, eq(outages.id, events.outageId))
      .where(and(isHeld, gt(events.id, last)))
      .orderBy(events.id)
      .limit(PAGE_SIZE);
    const dependenciesOf = await readDependencies(deps, rows);
    yield rows.map((row) => ({ event: row.event, awaited: awaitedOf(row, dependenciesOf(row.event), now) }));
    [last, size] = [rows.at(-1)?.event.id ?? 0, rows.length];
  }
}

/** The ids of held events that wait for nothing more, about as many as are planned at a time. */
export const readReleased = async (deps: Pick<Deps, "db" | "clock">): Promise<number[]> => {
  const released: number[] = [];
  for await (const page of readHeldEvents(deps)) {
    released.push(...page.flatMap(({ event, awaited }) => (awaited.length === 0 ? [event.id] : [])));
    if (released.length >= PAGE_SIZE) break;
  }
  return released;
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
        eq(events.at, sql`coalesce(${outages.detectedAt}, ${outages.startedAt})`),
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
 * Stores other explanations of outages that are withheld still, and returns the events of those that nothing explains now, to
 * be planned again: the explaining outage has ended or was deleted, or the dependency was removed.
 */
export const updateExplanations = async ({ db }: Pick<Deps, "db">): Promise<number[]> => {
  const changed = await readChangedExplanations({ db });
  await explainOutages(
    db,
    changed.flatMap(({ outage, eventId, explainedBy }) =>
      // Without its event, which was deleted after its retention, there is nothing to send any more.
      explainedBy !== null || eventId === null ? [[outage.id, explainedBy] as const] : [],
    ),
  );
  return changed.flatMap(({ eventId, explainedBy }) => (explainedBy === null ? (eventId ?? []) : []));
};

/** Checks a monitor now; fulfilled when the result is stored. */
export type CheckNow = (monitorId: number) => Promise<unknown>;

/** Monitors that are checked at the same time. The others are checked when these have their results. */
const MAX_RUNNING = 200;

const keyOfCheck = ({ id, waitUntil }: Event, monitorId: number) => `${id} ${waitUntil} ${monitorId}`;

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
    const open: { id: number; key: string }[] = [];
    for await (const page of readHeldEvents(deps))
      for (const { event, awaited } of page)
        for (const { type, id } of awaited) if (type === "monitor") open.push({ id, key: keyOfCheck(event, id) });
    started = new Set(open.flatMap(({ key }) => (started.has(key) ? [key] : [])));
    for (const { id, key } of open) {
      if (started.has(key) || running.has(id) || running.size >= MAX_RUNNING) continue;
      // All holds that wait for this monitor have their answer by one check.
      for (const other of open) if (other.id === id) started.add(other.key);
      void check(id);
    }
  };
};
