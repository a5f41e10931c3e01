import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { monitorStates } from "../../../db/schema";
import { createRollup } from "../../../history/rollup";
import { checkShape } from "../history/shape";
import { type Result, recordResults } from "./record";

export type PastCheck = Omit<Result, "revision">;

/**
 * Stores checks of the past with the outages that follow from them, for monitors that have no other history. No hub may run. The
 * monitors count as watched since the first check.
 */
export const writePast = async (
  deps: Pick<Deps, "db" | "clock" | "log" | "live">,
  checks: readonly PastCheck[],
): Promise<void> => {
  const states = await deps.db
    .select({ id: monitorStates.monitorId, revision: monitorStates.revision })
    .from(monitorStates);
  const revisions = new Map(states.map(({ id, revision }) => [id, revision]));
  const times = [...Map.groupBy(checks, ({ checkedAt }) => checkedAt)].sort(([a], [b]) => a - b);
  await deps.db.transact(async (tx) => {
    for (const [, same] of times) {
      const results = same.map((check) => ({ ...check, revision: revisions.get(check.monitorId) ?? 0 }));
      await recordResults({ ...deps, db: tx }, null, results);
    }
    const [[since] = []] = times;
    if (since !== undefined) await tx.atomically(() => [sql`update ${monitorStates} set first_checked_at = ${since}`]);
  });
  await createRollup(deps, checkShape)();
};
