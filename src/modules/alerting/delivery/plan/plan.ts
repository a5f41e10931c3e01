/**
 * Planning: each event becomes a delivery for each channel that it is sent to. Nothing waits in a timer: what is sent later
 * is a row with a due time, so a restart and a second instance change nothing. One instance plans at a time, under
 * lockAlerts, in transactions that read a batch, decide in TypeScript and write:
 *
 *   1. explain   outages/causes  what probably explains the outages that events open, before the transaction
 *   2. read      read.ts         events that are not planned, with their rule, policy, channels and outage, and with the rows of mutes/muted-events.ts, maintenance/holds.ts, holds.ts (dependencies) and flapping.ts
 *   3. decide    next.ts         what is sent to whom and when, or why not: decide.ts, quiet.ts
 *   4. write     write.ts        the deliveries, and what changes with them
 *
 * Without events, the same happens with the steps and reminders that are due, and with events whose hold, explanation or
 * unstable state is released, which next.ts plans again. Mutes and maintenance that end reset the events to plan again:
 * mutes/muted-events.ts, maintenance/holds.ts.
 */
import { and, eq, isNotNull, isNull, lte, min } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Database } from "../../../../db/database";
import {
  deliveries,
  dependencies,
  escalations,
  events,
  flappingTargets,
  maintenanceHolds,
  mutes,
  outageEventColumns,
  outages,
} from "../../../../db/schema";
import { lock, lockAlerts } from "../../../../db/sql";
import { isClosing } from "../../../../shared/notifications";
import { endExpiredHolds, readNextHoldEnd } from "../../maintenance/holds";
import { endExpiredMutes, readNextEnd } from "../../mutes/muted-events";
import { updateCauses } from "../../outages/causes/update";
import { deleteWithoutEvent, readStable } from "./flapping";
import { hasChangedExplanations, readReleased, updateExplanations } from "./holds";
import { isWithdrawn, next } from "./next";
import { type Open, readAgain, readDue, readEvents, readUnplanned } from "./read";
import { isUntried } from "./state";
import { storeEvents, storeSteps, withhold } from "./write";

/**
 * Withdraws what quiet hours held of outages that have ended without an event, because the monitor was paused or the
 * threshold switched off.
 */
const withdrawEnded = async (db: Database, now: number): Promise<void> => {
  const held = await db
    .select({ kind: outageEventColumns.kind, delivery: deliveries })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(outages, eq(outages.id, events.outageId))
    .where(
      and(lte(deliveries.nextAttemptAt, now), eq(deliveries.errorCode, "quiet_hours"), isNotNull(outages.endedAt)),
    );
  const ids = held.flatMap(({ kind, delivery }) =>
    isWithdrawn({ ...delivery, isUntried: isUntried(delivery) }) && !isClosing(kind) ? [delivery.id] : [],
  );
  await withhold(db, ids, "recovered", now);
};

const isAnythingDue = async (deps: Pick<Deps, "db" | "clock">): Promise<boolean> =>
  ((await readNextDueTime(deps)) ?? Number.POSITIVE_INFINITY) <= deps.clock.now();

/**
 * Plans a batch of events, or else what is due without an event, and returns whether there may be more. Events come first,
 * because a mute ends once the events before its end are planned.
 */
export const planNext = async (deps: Deps): Promise<boolean> => {
  const searched = await readUnplanned(deps);
  // A transaction would make other instances wait.
  if (searched.length === 0 && !(await isAnythingDue(deps))) return false;
  const released = searched.length > 0 ? [] : [...(await readReleased(deps)), ...(await readStable(deps))];
  const real = [...searched, ...(await readAgain(deps, released))].flatMap(({ event }) => (event.drill ? [] : [event]));
  if (real.length > 0) await updateCauses(deps, real);
  const isExplained = new Set(searched.map(({ event }) => event.id));
  return deps.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const within = { ...deps, db: tx };
    const now = deps.clock.now();
    const decide = (open: readonly Open[]) =>
      open.flatMap(({ subject, state }) => {
        const decided = next(subject, state, now);
        return decided ? [{ subject, next: decided }] : [];
      });
    // Before the events that followed: whether someone was notified of an outage decides about its end.
    const isHoldMissed = await endExpiredHolds(within);
    const unplanned = await readUnplanned(within);
    if (unplanned.length > 0) {
      // Events that were written since are planned in the next batch, after their causes are searched.
      const batch = unplanned.filter(({ event }) => isExplained.has(event.id));
      if (batch.length > 0) await storeEvents(tx, decide(await readEvents(within, batch, now)), now);
      return true;
    }
    const isMuteMissed = await endExpiredMutes(within);
    const unexplained = await updateExplanations(within);
    const due = decide(await readDue(within, now));
    if (due.length > 0) await storeSteps(tx, due, now);
    await withdrawEnded(tx, now);
    await deleteWithoutEvent(within);
    // The events that a mute or maintenance withheld come first.
    if (isMuteMissed || isHoldMissed) return true;
    const rows = await readAgain(within, [...released, ...unexplained]);
    const again = rows.length > 0 ? decide(await readEvents(within, rows, now)) : [];
    if (again.length > 0) await storeEvents(tx, again, now);
    return due.length > 0 || again.length > 0;
  });
};

/** The tables that decide when something is due. */
export const DUE_TABLES = [
  ...[events, deliveries, mutes, maintenanceHolds, escalations, flappingTargets, outages, dependencies],
];

/**
 * The next due time: at once while an event is not planned (a held one waits for answers that may come at any time) or the
 * explanation of an outage is over; otherwise the next delivery, end of a mute or of maintenance, step or reminder, or the time when a target
 * counts as stable. Null if nothing is waiting.
 */
export const readNextDueTime = async (deps: Pick<Deps, "db">): Promise<number | null> => {
  const { db } = deps;
  const [unplanned] = await db.select({ id: events.id }).from(events).where(isNull(events.plannedAt)).limit(1);
  if (unplanned || (await hasChangedExplanations(deps))) return 0;
  const searched = await Promise.all([
    db.select({ at: min(deliveries.nextAttemptAt) }).from(deliveries),
    db.select({ at: min(escalations.nextAt) }).from(escalations),
    db.select({ at: min(flappingTargets.settlesAt) }).from(flappingTargets),
  ]);
  const ends = [await readNextEnd(deps), await readNextHoldEnd(deps)];
  const times = [...searched.map(([row]) => row?.at ?? null), ...ends].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
};
