import { and, isNotNull, isNull, min } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { deliveries, escalations, events, flappingTargets, mutes } from "../../../../db/schema";
import { readNextEnd } from "../../mutes/apply";

/** The tables that decide when something is due. */
export const DUE_TABLES = [events, deliveries, mutes, escalations, flappingTargets];

/**
 * When something is due next: at once while an event is not planned that is not held, and null when nothing is waiting.
 * Otherwise the time of the next delivery, the end of a mute or of a hold, the next step or reminder of an outage, or when
 * a target that changed too often counts as stable.
 */
export const readNextDueTime = async (deps: Pick<Deps, "db">): Promise<number | null> => {
  const { db } = deps;
  const isUnplanned = and(isNull(events.plannedAt), isNull(events.holdUntil));
  const [unplanned] = await db.select({ id: events.id }).from(events).where(isUnplanned).limit(1);
  if (unplanned) return 0;
  const isHeld = and(isNull(events.plannedAt), isNotNull(events.holdUntil));
  const found = await Promise.all([
    db.select({ at: min(deliveries.nextAttemptAt) }).from(deliveries),
    db
      .select({ at: min(events.holdUntil) })
      .from(events)
      .where(isHeld),
    db.select({ at: min(escalations.nextAt) }).from(escalations),
    db.select({ at: min(flappingTargets.settlesAt) }).from(flappingTargets),
  ]);
  const times = [...found.map(([row]) => row?.at ?? null), await readNextEnd(deps)].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
};
