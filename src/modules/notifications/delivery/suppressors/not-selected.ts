import type { EventKind, NotificationRule } from "../../../../shared/notifications";
import type { Suppressor } from "./suppressor";

const SELECTED: Record<EventKind, (rule: NotificationRule) => boolean> = {
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

/** The rule does not select events of this kind. */
export const notSelected: Suppressor = {
  reason: ({ kind }, { rule }) => (SELECTED[kind](rule) ? null : "not_selected"),
  stored: false,
};
