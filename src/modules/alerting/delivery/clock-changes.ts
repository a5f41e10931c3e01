import { and, gt, isNull, ne, or, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries, Statement } from "../../../db/database";
import { deliveries, escalations, events, flappingTargets } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { DAY } from "../../../shared/limits";

/** Times that were counted from now move with the clock. Wall times stay: the ends of quiet hours and of acknowledgements. */
const shift = (tx: Queries, jump: number, now: number): Statement[] => {
  const isNoEnd = or(isNull(deliveries.errorCode), ne(deliveries.errorCode, "quiet_hours"), gt(deliveries.attempts, 0));
  const earlier = (column: unknown) => sql`${column} - ${jump}`;
  const { startedAt, remindedAt, nextAt } = escalations;
  return [
    tx
      .update(deliveries)
      .set({ nextAttemptAt: earlier(deliveries.nextAttemptAt) })
      .where(and(gt(deliveries.nextAttemptAt, now), isNoEnd)),
    tx
      .update(escalations)
      .set({ startedAt: earlier(startedAt), remindedAt: earlier(remindedAt), nextAt: earlier(nextAt) })
      .where(gt(escalations.nextStep, 0)),
    tx
      .update(events)
      .set({ waitUntil: earlier(events.waitUntil) })
      .where(and(isNull(events.plannedAt), gt(events.waitUntil, now))),
    tx
      .update(flappingTargets)
      .set({ settlesAt: earlier(flappingTargets.settlesAt) })
      .where(gt(flappingTargets.settlesAt, now)),
  ];
};

/** Only the end of quiet hours is more than a day ahead: other such times were planned before the clock was set back. */
const limit = (tx: Queries, now: number): Statement[] => {
  const isNoEnd = or(isNull(deliveries.errorCode), ne(deliveries.errorCode, "quiet_hours"));
  const isAhead = and(gt(escalations.startedAt, now + DAY), gt(escalations.nextStep, 0));
  return [
    tx
      .update(deliveries)
      .set({ nextAttemptAt: now })
      .where(and(gt(deliveries.nextAttemptAt, now + DAY), isNoEnd)),
    tx.update(escalations).set({ startedAt: now, remindedAt: now, nextAt: now }).where(isAhead),
    tx
      .update(events)
      .set({ waitUntil: now })
      .where(and(isNull(events.plannedAt), gt(events.waitUntil, now + DAY))),
    tx
      .update(flappingTargets)
      .set({ settlesAt: now })
      .where(gt(flappingTargets.settlesAt, now + DAY)),
  ];
};

/**
 * Keeps the waiting times of retries, steps and reminders when the clock is set back; call it before each run. Times more than
 * a day ahead are due now, because the clock was set back while no instance ran.
 */
export const createTimeShifter = ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  let lastRunAt: number | null = null;
  return async (): Promise<void> => {
    const now = clock.now();
    const jump = (lastRunAt ?? now) - now;
    const isBack = jump > CLOCK_JUMP_MS;
    if (lastRunAt === null || isBack)
      await db.atomically((tx) => [...lockAlerts, ...(isBack ? shift(tx, jump, now) : []), ...limit(tx, now)]);
    lastRunAt = now;
  };
};
