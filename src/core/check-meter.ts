import type { Phases } from "../shared/monitor";

/** Results of one monitor that this process stored. */
type CheckCounts = {
  /** Up, but slower than the monitor's limit, counts as slow. */
  counts: { up: number; slow: number; down: number };
  last: { checkedAt: number; statusCode: number | null; phases?: Phases | undefined };
};

type Counted = CheckCounts["last"] & { monitorId: number; up: boolean; slow?: boolean | undefined };

/** Beyond this number of monitors those whose last result is the oldest are dropped: first the deleted ones. */
const MAX_MONITORS = 10_000;

/** Counts results by monitor and outcome, and keeps the figures of the last result that the state does not store. */
export const createCheckMeter = (limit = MAX_MONITORS) => {
  const byMonitor = new Map<number, CheckCounts>();
  // One iterator for all: a new one would pass over the places of all monitors that were dropped before.
  const oldest = byMonitor.keys();
  return {
    count: ({ monitorId, up, slow, ...last }: Counted): void => {
      const { counts } = byMonitor.get(monitorId) ?? { counts: { up: 0, slow: 0, down: 0 } };
      counts[up ? (slow ? "slow" : "up") : "down"]++;
      // Deleted first, so that the order is by the last result.
      byMonitor.delete(monitorId);
      const { checkedAt, statusCode, phases } = last;
      byMonitor.set(monitorId, { counts, last: { checkedAt, statusCode, phases } });
      if (byMonitor.size > limit) byMonitor.delete(oldest.next().value ?? monitorId);
    },
    of: (monitorId: number): CheckCounts | undefined => byMonitor.get(monitorId),
  };
};
