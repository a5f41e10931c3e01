import { METRICS, type Metric, type TargetType } from "../../../../src/shared/alerts";
import type { NotificationRule } from "../../../../src/shared/setting";

export type GlobalKey = `global-${TargetType}`;
/** All monitors, all agents, or one of either. */
export type TargetKey = GlobalKey | `${TargetType}:${number}`;
export type Settings = { [K in GlobalKey]: NotificationRule } & { [K in TargetKey]?: NotificationRule };

/** The two fields of each figure that has a threshold. */
export const metricFields = {
  cpu: { on: "onCpuThreshold", threshold: "cpuThreshold" },
  memory: { on: "onMemoryThreshold", threshold: "memoryThreshold" },
  disk: { on: "onDiskThreshold", threshold: "diskThreshold" },
} as const satisfies Record<Metric, { on: keyof NotificationRule; threshold: keyof NotificationRule }>;

export const kindOf = (key: TargetKey): TargetType => (/^(global-)?monitor/.test(key) ? "monitor" : "agent");

/** The id behind a key; undefined for a global one. */
export const idOf = (key: TargetKey): number | undefined => {
  const [, id] = key.split(":");
  return id === undefined ? undefined : Number(id);
};

/** What is stored of a target. One that was never set apart begins as a copy of the global setting, switched off. */
export const settingOf = (settings: Settings, key: TargetKey): NotificationRule =>
  settings[key] ?? { ...settings[`global-${kindOf(key)}`], enabled: false, overrideGlobal: false };

/** Whoever gives a target settings of its own wants them to count. */
export const withOverride = (overrideGlobal: boolean): Partial<NotificationRule> =>
  overrideGlobal ? { overrideGlobal, enabled: true } : { overrideGlobal };

/** Alerts that reach nobody are of no use: switched on without a channel, they go to all that are in use. */
export const withEnabled = (
  enabled: boolean,
  { channels }: Pick<NotificationRule, "channels">,
  known: readonly { id: number; enabled: boolean }[],
): Partial<NotificationRule> =>
  enabled && channels.length === 0
    ? { enabled, channels: known.filter((channel) => channel.enabled).map(({ id }) => id) }
    : { enabled };

export const isThreshold = (value: number) => Number.isFinite(value) && value >= 0 && value <= 100;

export const isValid = (key: TargetKey, setting: NotificationRule) =>
  kindOf(key) === "monitor" || METRICS.every((metric) => isThreshold(setting[metricFields[metric].threshold]));
