import { gt, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { DAY } from "../../../shared/limits";

/** A clock that went back by more than this was set, and did not only drift. */
const SET_BACK = 2000;

/**
 * What keeps the pauses between attempts as long as they were meant when the clock is set back; to be called before
 * each turn. Nobody is meant to wait for longer than a day: that tells of a clock that was set while nobody ran.
 */
export const createRetryTimeShifter = ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  let lookedAt: number | null = null;
  return async (): Promise<void> => {
    const now = clock.now();
    const earlier = (lookedAt ?? now) - now;
    if (lookedAt === null || earlier > SET_BACK) {
      const next = deliveries.nextAttemptAt;
      const meant = sql`case when ${next} - ${earlier} > ${now} + ${DAY} then ${now} else ${next} - ${earlier} end`;
      const wrong = gt(next, earlier > 0 ? now : now + DAY);
      await db.atomically((tx) => [...lockAlerts, tx.update(deliveries).set({ nextAttemptAt: meant }).where(wrong)]);
    }
    lookedAt = now;
  };
};
