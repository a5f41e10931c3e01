import { expect, test } from "bun:test";
import { DEFAULT_RULE } from "../../../../src/shared/setting";
import { wire } from "../fixtures";
import { toNotifications } from "../normalise";
import { isValid, settingOf, withEnabled, withOverride } from "./setting";
import { toSettingBody } from "./setting-body";

test("settings of its own count at once", () => {
  expect(withOverride(true)).toEqual({ overrideGlobal: true, enabled: true });
  expect(withOverride(false)).toEqual({ overrideGlobal: false });
});

test("alerts switched on without a channel go to all that are in use", () => {
  const known = [
    { id: 0, enabled: true },
    { id: 1, enabled: false },
    { id: 2, enabled: true },
  ];
  expect(withEnabled(true, { channels: [] }, known)).toEqual({ enabled: true, channels: [0, 2] });
  expect(withEnabled(true, { channels: [1] }, known)).toEqual({ enabled: true });
  expect(withEnabled(false, { channels: [] }, known)).toEqual({ enabled: false });
});

test("what was never set apart begins as the global setting, switched off", () => {
  const { settings } = toNotifications(wire({}, { monitors: { enabled: 1, onRecovery: 0, channels: [1] } }));
  expect(settingOf(settings, "monitor:3")).toMatchObject({
    enabled: false,
    overrideGlobal: false,
    onRecovery: false,
    channels: [1],
  });
});

test.each([
  [0, true],
  [100, true],
  [-1, false],
  [100.5, false],
  [Number.NaN, false],
])("a threshold of %p is valid: %p", (memoryThreshold, valid) => {
  expect(isValid("agent:1", { ...DEFAULT_RULE, memoryThreshold })).toBe(valid);
  expect(isValid("global-monitor", { ...DEFAULT_RULE, memoryThreshold })).toBe(true);
});

test("a global setting is sent with what its kind has", () => {
  expect(toSettingBody("global-monitor", { ...DEFAULT_RULE, enabled: true, channels: [0, 2] })).toEqual({
    target_type: "global-monitor",
    enabled: true,
    on_down: true,
    on_recovery: true,
    channels: "[0,2]",
  });
});

test("a specific setting is sent with its id and whether it overrides", () => {
  expect(toSettingBody("agent:7", { ...DEFAULT_RULE, overrideGlobal: true, onDiskThreshold: true })).toEqual({
    target_type: "agent",
    target_id: 7,
    override_global: true,
    enabled: false,
    on_recovery: true,
    on_offline: true,
    on_cpu_threshold: false,
    cpu_threshold: 90,
    on_memory_threshold: false,
    memory_threshold: 85,
    on_disk_threshold: true,
    disk_threshold: 90,
    channels: "[]",
  });
});
