import { describe, expect, it } from "bun:test";
import { DEFAULT_RULE, type NotificationRule } from "../../../shared/notifications";
import { channelsOf, effective, thresholdsOf } from "./effective";

const setting = (wanted: Partial<NotificationRule>): NotificationRule => ({
  ...DEFAULT_RULE,
  enabled: true,
  channels: [1],
  ...wanted,
});

it("a rule names each channel once, in the order in which they were chosen", () => {
  expect(channelsOf(setting({ channels: [3, 1, 3, 0, 1] }))).toEqual([3, 1, 0]);
  expect(channelsOf(setting({ channels: [] }))).toEqual([]);
});

describe("the rule that applies", () => {
  const global = setting({ channels: [1] });
  const specific = setting({ channels: [2], overrideGlobal: true });
  it("is off by default", () => {
    expect(effective(undefined, undefined)).toEqual(DEFAULT_RULE);
    expect(DEFAULT_RULE.enabled).toBe(false);
  });
  it("is the target's own where that overrides", () => {
    expect(effective(global, specific)).toBe(specific);
    expect(effective(undefined, specific)).toBe(specific);
  });
  it("is the global one where the target's own does not override", () => {
    expect(effective(global, { ...specific, overrideGlobal: false })).toBe(global);
    expect(effective(undefined, { ...specific, overrideGlobal: false })).toEqual(DEFAULT_RULE);
  });
});

describe("thresholds", () => {
  it("are 90, 85 and 90 until they are changed", () => {
    const all = { onCpuThreshold: true, onMemoryThreshold: true, onDiskThreshold: true };
    expect(thresholdsOf(setting(all))).toEqual({ cpu: 90, memory: 85, disk: 90 });
  });
  it("count only where they are switched on", () => {
    expect(thresholdsOf(setting({ onDiskThreshold: true, diskThreshold: 70 }))).toEqual({
      cpu: null,
      memory: null,
      disk: 70,
    });
    expect(thresholdsOf(setting({ enabled: false, onCpuThreshold: true }))).toEqual({
      cpu: null,
      memory: null,
      disk: null,
    });
  });
});
