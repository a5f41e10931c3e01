/** Kinds of targets of alerts. */
export type TargetType = "monitor" | "agent";

export const METRICS = ["cpu", "memory", "disk"] as const;
export type Metric = (typeof METRICS)[number];

/** Kinds of events: a monitor goes down or recovers, an agent goes offline or online, a figure crosses its threshold. */
export type EventKind = "down" | "recovery" | "offline" | "online" | `${Metric}_high` | `${Metric}_normal`;

export const EVENT_KINDS: readonly EventKind[] = [
  "down",
  "recovery",
  "offline",
  "online",
  ...METRICS.flatMap((metric) => [`${metric}_high`, `${metric}_normal`] as const),
];

const DEFAULT_THRESHOLDS: Record<Metric, number> = { cpu: 90, memory: 85, disk: 90 };

/** Digits, a colon, then 30 or more letters, digits, underscores and hyphens. */
export const BOT_TOKEN = /^\d+:[A-Za-z0-9_-]{30,}$/;

/** A notification rule for all monitors or agents of a user, or for one. Monitors ignore the fields of agents. */
export type NotificationRule = {
  enabled: boolean;
  overrideGlobal: boolean;
  onDown: boolean;
  onRecovery: boolean;
  onOffline: boolean;
  onCpuThreshold: boolean;
  cpuThreshold: number;
  onMemoryThreshold: boolean;
  memoryThreshold: number;
  onDiskThreshold: boolean;
  diskThreshold: number;
  channels: number[];
};

/** No notifications by default. */
export const DEFAULT_RULE: NotificationRule = {
  enabled: false,
  overrideGlobal: false,
  onDown: true,
  onRecovery: true,
  onOffline: true,
  onCpuThreshold: false,
  cpuThreshold: DEFAULT_THRESHOLDS.cpu,
  onMemoryThreshold: false,
  memoryThreshold: DEFAULT_THRESHOLDS.memory,
  onDiskThreshold: false,
  diskThreshold: DEFAULT_THRESHOLDS.disk,
  channels: [],
};
