import type { NotificationRule } from "../../../../src/shared/setting";
import { idOf, kindOf, type TargetKey } from "./setting";

/** One call for one target. The server keeps whatever is left out. */
export const toSettingBody = (key: TargetKey, setting: NotificationRule) => {
  const id = idOf(key);
  const kind = kindOf(key);
  return {
    target_type: id === undefined ? (`global-${kind}` as const) : kind,
    ...(id !== undefined && { target_id: id, override_global: setting.overrideGlobal }),
    enabled: setting.enabled,
    on_recovery: setting.onRecovery,
    ...(kind === "monitor"
      ? { on_down: setting.onDown }
      : {
          on_offline: setting.onOffline,
          on_cpu_threshold: setting.onCpuThreshold,
          cpu_threshold: setting.cpuThreshold,
          on_memory_threshold: setting.onMemoryThreshold,
          memory_threshold: setting.memoryThreshold,
          on_disk_threshold: setting.onDiskThreshold,
          disk_threshold: setting.diskThreshold,
        }),
    channels: JSON.stringify(setting.channels),
  };
};

export type SettingBody = ReturnType<typeof toSettingBody>;
