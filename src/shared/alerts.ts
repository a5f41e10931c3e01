export const LANGUAGES = ["zh-CN", "en-US"] as const;
export type Language = (typeof LANGUAGES)[number];

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

export const DEFAULT_THRESHOLDS: Record<Metric, number> = { cpu: 90, memory: 85, disk: 90 };

/** Digits, a colon, then 30 or more letters, digits, underscores and hyphens. */
export const BOT_TOKEN = /^\d+:[A-Za-z0-9_-]{30,}$/;
