import { DEFAULT_THRESHOLDS, type EventKind, type Metric } from "../../shared/alerts";
import type { Thresholds } from "./levels";

/** What a user wants to be told, of all monitors or agents or of one. */
export type Setting = {
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

/** Nothing is told until somebody asks for it. */
export const DEFAULT_SETTING: Setting = {
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

/** The specific setting where it overrides, else the global one. */
export const effective = (global: Setting | undefined, specific: Setting | undefined): Setting =>
  specific?.overrideGlobal ? specific : (global ?? DEFAULT_SETTING);

const WANTED: Record<EventKind, (setting: Setting) => boolean> = {
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
export const channelsFor = (kind: EventKind, setting: Setting): number[] =>
  setting.enabled && WANTED[kind](setting) ? [...new Set(setting.channels)] : [];

/** The thresholds that count for an agent; null where crossing one is to be told to nobody. */
export const thresholdsOf = (setting: Setting): Thresholds => {
  const when = (on: boolean, threshold: number) => (setting.enabled && on ? threshold : null);
  return {
    cpu: when(setting.onCpuThreshold, setting.cpuThreshold),
    memory: when(setting.onMemoryThreshold, setting.memoryThreshold),
    disk: when(setting.onDiskThreshold, setting.diskThreshold),
  } satisfies Record<Metric, number | null>;
};
