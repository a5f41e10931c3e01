import { DEFAULT_RULE, type Metric, type NotificationRule } from "../../../shared/notifications";
import type { Thresholds } from "./hysteresis";

/** The rule that applies to a target: its own where that overrides, else the global one. */
export const effective = (
  global: NotificationRule | undefined,
  specific: NotificationRule | undefined,
): NotificationRule => (specific?.overrideGlobal ? specific : (global ?? DEFAULT_RULE));

/** The ids of a rule's channels, each once, in the order in which they were chosen. */
export const channelsOf = ({ channels }: NotificationRule): number[] => [...new Set(channels)];

/** The thresholds that a rule sets; null where it does not notify of one. */
export const thresholdsOf = (setting: NotificationRule): Thresholds => {
  const when = (on: boolean, threshold: number) => (setting.enabled && on ? threshold : null);
  return {
    cpu: when(setting.onCpuThreshold, setting.cpuThreshold),
    memory: when(setting.onMemoryThreshold, setting.memoryThreshold),
    disk: when(setting.onDiskThreshold, setting.diskThreshold),
  } satisfies Record<Metric, number | null>;
};
