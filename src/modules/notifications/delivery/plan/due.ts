import { isNull, min } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { deliveries, dependencies, escalations, events, flappingTargets, mutes, outages } from "../../../../db/schema";
import { readNextEnd } from "../../mutes/apply";
import { hasChangedExplanations } from "./holds";

/** The tables that decide when something is due. */
export const DUE_TABLES = [events, deliveries, mutes, escalations, flappingTargets, outages, dependencies];

/**
 * When something is due next: at once while an event is not planned, of which a held one waits for answers that may come
 * at any time, and while the explanation of an outage is over; null when nothing is waiting. Otherwise the time of the next
 * delivery, the end of a mute, the next step or reminder of an outage, or when a target that changed too often counts as
 * stable.
 */
export const readNextDueTime = async (deps: Pick<Deps, "db">): Promise<number | null> => {
  const { db } = deps;
  const [unplanned] = await db.select({ id: events.id }).from(events).where(isNull(events.plannedAt)).limit(1);
  if (unplanned || (await hasChangedExplanations(deps))) return 0;
  const found = await Promise.all([
    db.select({ at: min(deliveries.nextAttemptAt) }).from(deliveries),
    db.select({ at: min(escalations.nextAt) }).from(escalations),
    db.select({ at: min(flappingTargets.settlesAt) }).from(flappingTargets),
  ]);
  const times = [...found.map(([row]) => row?.at ?? null), await readNextEnd(deps)].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
};
