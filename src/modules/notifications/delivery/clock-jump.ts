import { gt, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { DAY } from "../../../shared/limits";

/**
 * Keeps the waiting times of retries when the clock is set back; to be called before each run. A retry that is more than
 * a day ahead is due now: no retry waits that long, so the clock was set while no instance ran.
 */
export const createRetryTimeShifter = ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  let lastRunAt: number | null = null;
  return async (): Promise<void> => {
    const now = clock.now();
    const jump = (lastRunAt ?? now) - now;
    if (lastRunAt === null || jump > CLOCK_JUMP_MS) {
      const next = deliveries.nextAttemptAt;
      const shifted = sql`case when ${next} - ${jump} > ${now} + ${DAY} then ${now} else ${next} - ${jump} end`;
      const affected = gt(next, jump > 0 ? now : now + DAY);
      await db.atomically((tx) => [
        ...lockAlerts,
        tx.update(deliveries).set({ nextAttemptAt: shifted }).where(affected),
      ]);
    }
    lastRunAt = now;
  };
};
