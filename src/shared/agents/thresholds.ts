/** Figures of servers that can have thresholds. `load` is for each core; `temperature` is in °C, the others are in percent. */
export const THRESHOLD_METRICS = ["cpu", "memory", "swap", "disk", "load", "temperature"] as const;
export type ThresholdMetric = (typeof THRESHOLD_METRICS)[number];

/** To which servers a threshold applies. The one for a server wins over those for its tags, and these over the default. */
export const THRESHOLD_SCOPES = ["all", "tag", "agent"] as const;
export type ThresholdScope = (typeof THRESHOLD_SCOPES)[number];

/** When a figure of a server is too high. */
export type ThresholdSetting = {
  metric: ThresholdMetric;
  /** The mount point of `disk`, the sensor of `temperature`; empty: each of them. */
  subject: string;
  /** From which figure on. */
  threshold: number;
  /** Below which figure it is normal again: at most `threshold`. */
  clear: number;
  /** For how many minutes without interruption it has to be above, or below, before its state changes. */
  minutes: number;
};

/** An evaluated threshold of a server that is not quiet: it is above and waiting, or alerting. */
export type Alarm = {
  metric: ThresholdMetric;
  subject: string;
  alerting: boolean;
  /** Since when the figure is on the other side of its limit, in epoch milliseconds; null while it is not. */
  since: number | null;
};

export const MAX_THRESHOLDS = 200;
