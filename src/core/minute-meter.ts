import { SECOND } from "../shared/limits";
import type { Meters } from "./deps";

/** What this process did in its last full minute. */
export type LastMinute = {
  /** Of stored results and reports. */
  checksPerSecond: number;
  reportsPerSecond: number;
  /** Mean lateness of the scheduled checks that started, in seconds; null without one. */
  lateness: number | null;
};

type Counters = Pick<Meters, "checks" | "reports" | "lateness">;

const countersOf = ({ checks, reports, lateness }: Counters, at: number) => {
  const { count, sum } = lateness.read();
  return { at, checks: checks.up + checks.down, reports, count, sum };
};

/** Derives figures of the last minute from the counters of this process. `turn` is to be called once a minute. */
export const createMinuteMeter = (meters: Counters, now: () => number) => {
  let before = countersOf(meters, now());
  let last: LastMinute | null = null;
  return {
    read: (): LastMinute | null => last,
    turn: async (): Promise<void> => {
      const after = countersOf(meters, now());
      const seconds = (after.at - before.at) / SECOND;
      const started = after.count - before.count;
      // A clock that was set back has no minute in between.
      last =
        seconds < 1
          ? null
          : {
              checksPerSecond: (after.checks - before.checks) / seconds,
              reportsPerSecond: (after.reports - before.reports) / seconds,
              lateness: started === 0 ? null : (after.sum - before.sum) / started,
            };
      before = after;
    },
  };
};
