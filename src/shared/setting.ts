import { DEFAULT_THRESHOLDS } from "./alerts";

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
