export const LANGUAGES = ["zh-CN", "en-US"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What alerts are about. */
export type TargetType = "monitor" | "agent";

export const METRICS = ["cpu", "memory", "disk"] as const;
export type Metric = (typeof METRICS)[number];

/** What can happen: a monitor goes down and recovers, an agent goes silent and reports again, a figure crosses its threshold. */
export type EventKind = "down" | "recovery" | "offline" | "online" | `${Metric}_high` | `${Metric}_normal`;

export const DEFAULT_THRESHOLDS: Record<Metric, number> = { cpu: 90, memory: 85, disk: 90 };

/** Digits, a colon, then 30 or more letters, digits, underscores and hyphens. */
export const BOT_TOKEN = /^\d+:[A-Za-z0-9_-]{30,}$/;
