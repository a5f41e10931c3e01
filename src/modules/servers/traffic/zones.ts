import type { Deps } from "../../../core/deps";
import { users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createExpiringMap } from "../../../lib/expiring-map";
import type { ServerPlan } from "../../../shared/agents/server-plan";
import { MINUTE } from "../../../shared/limits";

/** An agent whose billing time zone is needed. */
type Of = { userId: number; plan: ServerPlan | null };

const databases = new WeakMap<object, ReturnType<typeof createExpiringMap<number, string>>>();
const CACHED = 10_000;
const CACHED_FOR = 5 * MINUTE;

/**
 * Returns the time zone of each agent: its plan's, or else its owner's, which are read for agents without a zone in the plan,
 * and cached.
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
    const cached = cache.get(userId, now);
    if (cached === undefined) unknown.add(userId);
    else zones.set(userId, cached);
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
