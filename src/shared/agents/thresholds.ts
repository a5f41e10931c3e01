/** Figures of servers that can have thresholds. `load` is for each core; `temperature` is in °C, the others are in percent. */
export const THRESHOLD_METRICS = ["cpu", "memory", "swap", "disk", "load", "temperature"] as const;
export type ThresholdMetric = (typeof THRESHOLD_METRICS)[number];

/** Which servers a threshold applies to. A server's own wins over those for its tags, and these over the default. */
export const THRESHOLD_SCOPES = ["all", "tag", "agent"] as const;
export type ThresholdScope = (typeof THRESHOLD_SCOPES)[number];

/** When a figure of a server is too high. */
export type ThresholdSetting = {
  metric: ThresholdMetric;
  /** The mount point of `disk`, the sensor of `temperature`; empty: each of them. */
  subject: string;
  /** The lowest figure that exceeds it. */
  threshold: number;
  /** Below which figure it is normal again: at most `threshold`. */
  clear: number;
  /** For how many minutes without interruption it has to be above, or below, before its state changes. */
  minutes: number;
};

/** The lowest and the highest threshold of each figure. */
export const THRESHOLD_BOUNDS: Record<ThresholdMetric, readonly [lowest: number, highest: number]> = {
  cpu: [1, 100],
  memory: [1, 100],
  swap: [1, 100],
  disk: [1, 100],
  load: [0.1, 100],
  temperature: [1, 200],
};
export const isAllowedThreshold = (metric: ThresholdMetric, threshold: number): boolean => {
  const [lowest, highest] = THRESHOLD_BOUNDS[metric];
  return threshold >= lowest && threshold <= highest;
};

/** Below which figure a threshold is normal again unless it says so itself: 5 below, or a tenth below for the load. */
export const defaultClear = (metric: ThresholdMetric, threshold: number): number =>
  metric === "load" ? Math.round(threshold * 90) / 100 : Math.max(0, threshold - 5);

/** The most minutes that a threshold may ask for. */
export const THRESHOLD_MINUTES = 1440;

/** The most thresholds of a user. */
export const MAX_THRESHOLDS = 200;

/** Kinds of parts of a server that may not work: their state is reported, without a threshold. */
export const PART_PROBLEMS = ["container", "service", "array"] as const;
export type PartProblem = (typeof PART_PROBLEMS)[number];

/** A figure or a part of a server that is not quiet: it is too high and waiting, or alerting. */
export type Alarm = {
  metric: ThresholdMetric | PartProblem | "shared_key";
  subject: string;
  alerting: boolean;
  /** When it crossed its limit (epoch ms); null while it has not. */
  since: number | null;
  /** When it stopped being reported (epoch ms); absent while it is reported. */
  missing?: number;
  /** Of a container: how often it had been restarted before `since`. */
  restarts?: number;
  /** Of a threshold of a notification rule; while its disk alerts, with the mount. */
  ofRule?: true;
  mount?: string;
};

/**
 * The containers of a server that were up in its last report with containers. A container that stops while they are not
 * reported is noticed afterwards.
 */
export type ContainersUp = {
  metric: "containers_up";
  /** With how often each had been restarted; null: unknown. */
  up: [name: string, state: string, restarts: number | null][];
  /** When containers stopped being reported (epoch ms); absent while they are. */
  missing?: number;
};

/** The identity of a machine in its reports. `boot` belongs to its traffic counters. */
export type KnownMachine = { hostname: string; boot?: string; address?: string };

/** The machines that reported with the key of a server. */
export type Machines = {
  metric: "machines";
  /** The present one first. */
  seen: KnownMachine[];
  /** When another one reported last, in epoch milliseconds. */
  changedAt: number;
  /** When one reported again after another had taken its place: the latest times. */
  returns: number[];
};

/** State of a server between two reports that its alerts are evaluated with. */
export type AlarmState = Alarm | ContainersUp | Machines;
