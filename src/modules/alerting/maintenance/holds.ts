/**
 * What maintenance does to events: those planned in a window are withheld, and at its end, what is still broken is planned
 * again. The first withheld event of a target is remembered as a hold with the end of the maintenance, in the transaction that
 * plans it, so that a restart and another instance change nothing.
 */
import { and, eq, inArray, lte, min, ne, not, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { ownedBy, ownerOf } from "../../../db/owner";
import {
  deliveries,
  events,
  maintenanceHolds,
  maintenanceWindows,
  type OutageEvent,
  outageEventColumns,
} from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { MINUTE } from "../../../shared/limits";
import { REPORT_EVENT } from "../../../shared/notifications";
import { deleteSilences, reportMissed } from "../mutes/muted-events";
import { isNotOver, readMaintenance } from "./running";

type Hold = typeof maintenanceHolds.$inferSelect;

/** Holds that are ended in one transaction. */
const BATCH_SIZE = 200;

const targetOf = ({ teamId, targetType, targetId }: Pick<Hold, "teamId" | "targetType" | "targetId">) => ({
  ...{ teamId, type: targetType, id: targetId },
});
const keyOf = ({ targetType, targetId }: Pick<Hold, "targetType" | "targetId">) => `${targetType} ${targetId}`;

const setEnd = (db: Database, { targetType, targetId }: Hold, endsAt: number) =>
  db
    .update(maintenanceHolds)
    .set({ endsAt })
    .where(and(eq(maintenanceHolds.targetType, targetType), eq(maintenanceHolds.targetId, targetId)));

/**
 * Returns the ids of the events of a batch that maintenance withholds, and holds their targets from `now` on, when they are planned. An event that is planned after
 * the end of a window is withheld all the same if its target is held still and it happened before.
 */
export const findHeldEvents = async (
  { db }: Pick<Deps, "db">,
  batch: readonly OutageEvent[],
  now: number,
): Promise<ReadonlySet<number>> => {
  if (batch.length === 0) return new Set();
  const untilOf = await readMaintenance({ db }, batch.map(targetOf), now);
  const ids = [...new Set(batch.map(({ targetId }) => targetId))];
  const stored = await db.select().from(maintenanceHolds).where(isOneOf(maintenanceHolds.targetId, ids));
  const holds = new Map(stored.map((hold) => [keyOf(hold), hold]));
  const added = new Map<string, Hold>();
  const held = new Set<number>();
  for (const event of batch) {
    const hold = holds.get(keyOf(event));
    const until = untilOf(targetOf(event), now);
    if (until === null) {
      if (hold && event.at < hold.endsAt) held.add(event.id);
      continue;
    }
    held.add(event.id);
    const { targetType, targetId } = event;
    if (!hold) added.set(keyOf(event), { targetType, targetId, ...ownerOf(event), heldAt: now, endsAt: until });
    else if (hold.endsAt !== until) await setEnd(db, hold, until);
  }
  await insertMany(db, maintenanceHolds, [...added.values()]);
  return held;
};

/** The targets among these that are in maintenance now, for steps and reminders. */
export const findResting = async ({ db }: Pick<Deps, "db">, targets: readonly OutageEvent[], now: number) => {
  const untilOf = await readMaintenance({ db }, targets.map(targetOf), now);
  return (event: OutageEvent): boolean => untilOf(targetOf(event), now) !== null;
};

/** The longest time that steps and reminders wait after maintenance that is ended early. */
const RECHECK = 5 * MINUTE;

/** Adds holds, or begins those that there are already earlier. */
const startHolds = async (db: Database, holds: readonly Hold[]): Promise<void> => {
  for (const hold of holds)
    await db
      .insert(maintenanceHolds)
      .values(hold)
      .onConflictDoUpdate({
        target: [maintenanceHolds.targetType, maintenanceHolds.targetId],
        set: {
          heldAt: sql`case when ${maintenanceHolds.heldAt} < ${hold.heldAt} then ${maintenanceHolds.heldAt} else ${hold.heldAt} end`,
          endsAt: hold.endsAt,
        },
      });
};

/**
 * Withholds deliveries that were planned before maintenance of their targets began, as if their events had happened in it.
 * Of outages that were alerted before, reminders are withheld, because others follow, and further steps wait. Returns the ids
 * of those that are not sent now.
 */
export const holdDeliveries = async (
  { db }: Pick<Deps, "db">,
  ids: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> => {
  const teams = db.select({ id: maintenanceWindows.teamId }).from(maintenanceWindows).where(isNotOver(now));
  const real = and(not(events.drill), ne(events.kind, REPORT_EVENT));
  const { id, purpose, sequence } = deliveries;
  const rows = await db
    .select({ id, purpose, sequence, event: outageEventColumns })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(isOneOf(id, ids), real, inArray(events.teamId, teams)));
  const untilOf = await readMaintenance(
    { db },
    rows.map(({ event }) => targetOf(event)),
    now,
  );
  const inside = rows.flatMap((row) => {
    const until = untilOf(targetOf(row.event), now);
    return until === null ? [] : [{ ...row, until }];
  });
  if (inside.length === 0) return new Set();
  type Row = (typeof inside)[number];
  const idOf = (row: Row) => row.id;
  const isStep = (row: Row) => row.purpose === "alert" && row.sequence > 0;
  const holds = new Map<string, Hold>();
  for (const row of inside) {
    if (isStep(row) || row.purpose === "reminder") continue;
    const { targetType, targetId, plannedAt } = row.event;
    const heldAt = Math.min(plannedAt ?? now, holds.get(keyOf(row.event))?.heldAt ?? now);
    holds.set(keyOf(row.event), { targetType, targetId, ...ownerOf(row.event), heldAt, endsAt: row.until });
  }
  await startHolds(db, [...holds.values()]);
  const set = (rows: readonly Row[], columns: Partial<typeof deliveries.$inferInsert>) =>
    db
      .update(deliveries)
      .set({ errorCode: "maintenance", claimedBy: null, ...columns })
      .where(isOneOf(id, rows.map(idOf)));
  await set(
    inside.filter((row) => !isStep(row)),
    { state: "withheld", nextAttemptAt: null, endedAt: now },
  );
  for (const [until, steps] of Map.groupBy(inside.filter(isStep), (row) => row.until))
    await set(steps, { nextAttemptAt: Math.min(until, now + RECHECK) });
  return new Set(inside.map(idOf));
};

/** The end of the next hold, or null. */
export const readNextHoldEnd = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [next] = await db.select({ at: min(maintenanceHolds.endsAt) }).from(maintenanceHolds);
  return next?.at ?? null;
};

/** Sets the ends of these holds by the windows as they are now: a hold without a window ends now. */
const renewHolds = async (db: Database, holds: readonly Hold[], now: number): Promise<void> => {
  const untilOf = await readMaintenance({ db }, holds.map(targetOf), now);
  for (const hold of holds) {
    const endsAt = untilOf(targetOf(hold), now) ?? Math.min(hold.endsAt, now);
    if (endsAt !== hold.endsAt) await setEnd(db, hold, endsAt);
  }
};

/** Adapts the holds of a team to its windows, in the transaction that changes one, which has locked the planning of alerts. */
export const renewTeamHolds = async (tx: Database, teamId: number, now: number): Promise<void> =>
  renewHolds(tx, await tx.select().from(maintenanceHolds).where(ownedBy(maintenanceHolds, teamId)), now);

/**
 * Ends holds whose time is over, unless another window goes on, and resets the events to plan again that report what is still
 * broken. Returns whether events wait to be planned.
 */
export const endExpiredHolds = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const now = clock.now();
  const expired = lte(maintenanceHolds.endsAt, now);
  const holds = await db.select().from(maintenanceHolds).where(expired).limit(BATCH_SIZE);
  if (holds.length === 0) return false;
  await renewHolds(db, holds, now);
  const { over, missed, unannounced } = await reportMissed(
    { db },
    sql`select target_type, target_id, held_at as muted_at, ends_at from ${maintenanceHolds} where ${expired}
      order by ends_at limit ${BATCH_SIZE}`,
  );
  if (unannounced.length > 0)
    await db
      .update(deliveries)
      .set({ errorCode: "recovered" })
      .where(and(isOneOf(deliveries.eventId, unannounced), eq(deliveries.errorCode, "maintenance")));
  await deleteSilences(db, maintenanceHolds, over);
  return missed > 0 || over.length === BATCH_SIZE;
};
