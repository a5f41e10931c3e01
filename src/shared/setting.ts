import { DEFAULT_THRESHOLDS } from "./alerts";

/** What a user wants to be told, of all monitors or agents or of one. What only agents have, monitors leave as it is. */
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

/** Nothing is told until somebody asks for it. */
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
