/**
 * What maintenance does to events: those planned in a window are withheld, and at its end, what is still broken is planned
 * again. The first withheld event of a target is remembered as a hold with the end of the maintenance, in the transaction that
 * plans it, so that a restart and another instance change nothing.
 */
import { and, eq, lte, min, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { ownedBy, ownerOf } from "../../../db/owner";
import { deliveries, maintenanceHolds, type OutageEvent } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { deleteSilences, reportMissed } from "../mutes/muted-events";
import { readMaintenance } from "./running";

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
