import type { Clock } from "../core/clock";
import type { Log } from "../core/log";
import { MINUTE } from "../shared/limits";
import { type ActiveCondition, CONDITION_WORDS, type Condition } from "../shared/monitor";

/** A condition that was not reported again for this long has ended. */
const EXPIRY = MINUTE;

/** Stores which local conditions occurred in the last minute, and logs when each begins and ends. */
export const createConditions = (clock: Pick<Clock, "now">, log: Log) => {
  const met = new Map<Condition, { since: number; lastAt: number }>();
  const end = (code: Condition) => {
    if (met.delete(code)) log.info("the hub can make requests again", { condition: code });
  };
  return {
    /** Reports that a request could not be made because of this condition. */
    report: (code: Condition): void => {
      const now = clock.now();
      const known = met.get(code);
      if (!known) {
        const reason = CONDITION_WORDS[code];
        log.warn("the hub itself cannot make requests, affected checks are skipped", { condition: code, reason });
      }
      met.set(code, { since: known?.since ?? now, lastAt: now });
    },
    /** Ends a condition at once. */
    clear: end,
    active: (): ActiveCondition[] => {
      const now = clock.now();
      for (const [code, { lastAt }] of met) if (Math.abs(now - lastAt) > EXPIRY) end(code);
      return [...met].map(([code, { since }]) => ({ code, since }));
    },
  };
};

export type Conditions = ReturnType<typeof createConditions>;
