import type { Watching } from "../cluster/watching";
import type { Database } from "../db/database";
import type { SlidingWindows } from "../lib/sliding-window";
import type { Clock } from "../lib/time";
import type { Live } from "../modules/live/live";
import type { Outbound } from "../probe/outbound";
import { createCheckMeter } from "./check-meter";
import type { Config } from "./config";
import type { CostlyCalls } from "./costly-calls";
import type { Log } from "./log";
import type { LastMinute } from "./minute-meter";
import type { Trials } from "./trials";

/** The dependencies that are passed to every part of the hub. */
export type Deps = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  /** Counters and gauges for /metrics. */
  meters: Meters;
  /** Sends the requests of checks and deliveries. */
  outbound: Outbound;
  /** Passes changes to the pages that are open. */
  live: Live;
  /** Whether anything can be known of targets now. */
  watching: Watching;
  /** The id of this process among the instances on the database. */
  instance: string;
  /** Recently sent messages by channel; each process counts its own. */
  sentMessages: SlidingWindows;
  /** Runs the calls that cost much one at a time for each user. */
  costlyCalls: CostlyCalls;
  /** Limits probes and test messages. */
  trials: Trials;
  /** Monitors that were created, changed or deleted since the engine last read them. */
  changedMonitors: Set<number>;
  /** Signs sessions. */
  jwtSecret: string;
  /** Generated at the first start. Part of session tokens, so that no other installation accepts them. */
  installationId: string;
};

/** Counts values by upper bounds, as Prometheus' histograms do. */
const createHistogram = (bounds: readonly number[]) => {
  const counts = bounds.map(() => 0);
  const all = { count: 0, sum: 0 };
  return {
    observe: (value: number): void => {
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) counts[bucket] = (counts[bucket] ?? 0) + 1;
      all.count++;
      all.sum += value;
    },
    /** How many values were at most each bound, and of all of them the number and the sum. */
    read: () => {
      let below = 0;
      const buckets = bounds.map((bound, index) => {
        below += counts[index] ?? 0;
        return { bound, count: below };
      });
      return { ...all, buckets };
    },
  };
};

export type Histogram = ReturnType<typeof createHistogram>;

/** Counters and gauges of this process, updated by the parts they describe. */
export const createMeters = () => ({
  /** Checks whose results are stored. */
  checks: { up: 0, down: 0 },
  /** The same by monitor. */
  monitors: createCheckMeter(),
  /** Lateness of scheduled checks in seconds. */
  lateness: createHistogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
  checksInFlight: () => 0,
  /** Claimed checks waiting for the limits of their user or the process. */
  checksWaiting: () => 0,
  /** Pings of heartbeats that are stored, by what they reported. */
  pings: { success: 0, start: 0, fail: 0, log: 0 },
  /** Reports that are stored, and the samples in them. */
  reports: 0,
  samples: 0,
  /** Samples waiting to be stored. */
  samplesWaiting: () => 0,
  /** Finished deliveries. */
  deliveries: { sent: 0, failed: 0 },
  /** Event loop delay in seconds during the previous minute. Reading it starts the measurement. */
  eventLoopDelay: () => ({ p50: 0, p99: 0, max: 0 }),
  /** Null before the first full minute. */
  lastMinute: (): LastMinute | null => null,
});

export type Meters = ReturnType<typeof createMeters>;
