import type { EventKind, Metric } from "../../../shared/alerts";
import { DEFAULT_RULE, type NotificationRule } from "../../../shared/setting";
import type { Thresholds } from "./hysteresis";

/** The specific setting where it overrides, else the global one. */
export const effective = (
  global: NotificationRule | undefined,
  specific: NotificationRule | undefined,
): NotificationRule => (specific?.overrideGlobal ? specific : (global ?? DEFAULT_RULE));

const WANTED: Record<EventKind, (setting: NotificationRule) => boolean> = {
  down: ({ onDown }) => onDown,
  recovery: ({ onRecovery }) => onRecovery,
  offline: ({ onOffline }) => onOffline,
  online: ({ onRecovery }) => onRecovery,
  cpu_high: ({ onCpuThreshold }) => onCpuThreshold,
  cpu_normal: ({ onCpuThreshold, onRecovery }) => onCpuThreshold && onRecovery,
  memory_high: ({ onMemoryThreshold }) => onMemoryThreshold,
  memory_normal: ({ onMemoryThreshold, onRecovery }) => onMemoryThreshold && onRecovery,
  disk_high: ({ onDiskThreshold }) => onDiskThreshold,
  disk_normal: ({ onDiskThreshold, onRecovery }) => onDiskThreshold && onRecovery,
};

/** The ids of the channels that are to be told of an event. */
export const channelsFor = (kind: EventKind, setting: NotificationRule): number[] =>
  setting.enabled && WANTED[kind](setting) ? [...new Set(setting.channels)] : [];

/** The thresholds that count for an agent; null where crossing one is to be told to nobody. */
export const thresholdsOf = (setting: NotificationRule): Thresholds => {
  const when = (on: boolean, threshold: number) => (setting.enabled && on ? threshold : null);
  return {
    cpu: when(setting.onCpuThreshold, setting.cpuThreshold),
    memory: when(setting.onMemoryThreshold, setting.memoryThreshold),
    disk: when(setting.onDiskThreshold, setting.diskThreshold),
  } satisfies Record<Metric, number | null>;
};
