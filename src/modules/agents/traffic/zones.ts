import type { Deps } from "../../../core/deps";
import { users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createExpiringMap } from "../../../lib/expiring-map";
import type { ServerPlan } from "../../../shared/agents/server-plan";
import { MINUTE } from "../../../shared/limits";

/** An agent, of which the zone is asked in which its days are counted. */
type Of = { userId: number; plan: ServerPlan | null };

const databases = new WeakMap<object, ReturnType<typeof createExpiringMap<number, string>>>();
const CACHED = 10_000;
const CACHED_FOR = 5 * MINUTE;

/**
 * Returns the time zone of each agent: that of its plan, or else its owner's. Those of owners are read for agents whose
 * plan names none, and cached.
 */
export const readZones = async <Agent extends Of>(
  { db }: Pick<Deps, "db">,
  agents: readonly Agent[],
  now: number,
): Promise<(agent: Of) => string> => {
  const cache = databases.get(db) ?? createExpiringMap<number, string>(CACHED);
  databases.set(db, cache);
  const zones = new Map<number, string>();
  const unknown = new Set<number>();
  for (const { userId, plan } of agents) {
    if (plan?.traffic) continue;
    const known = cache.get(userId, now);
    if (known === undefined) unknown.add(userId);
    else zones.set(userId, known);
  }
  if (unknown.size > 0) {
    const { id, timeZone } = users;
    const rows = await db
      .select({ id, timeZone })
      .from(users)
      .where(isOneOf(id, [...unknown]));
    for (const row of rows) {
      const zone = row.timeZone ?? "UTC";
      zones.set(row.id, zone);
      cache.set(row.id, zone, now, { lifetime: CACHED_FOR });
    }
  }
  return ({ userId, plan }) => plan?.traffic?.zone ?? zones.get(userId) ?? "UTC";
};
