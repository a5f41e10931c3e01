import { expect, test } from "bun:test";
import { defaultSetting, wireSettings } from "../fixtures";
import {
  changedKeys,
  type Drafts,
  draftOf,
  edit,
  invalidKeys,
  isValid,
  settingOf,
  toSettingBody,
  toSettings,
  withEnabled,
  withOverride,
  withoutSaved,
} from "./drafts";

const settings = toSettings(wireSettings({ monitors: { channels: [1] } }));

test("the rules of single targets are keyed by kind and id", () => {
  const own = { overrideGlobal: true, critical: false };
  const wire = wireSettings();
  const read = toSettings({
    ...wire,
    specificMonitors: { 3: { ...wire.monitors, ...own } },
    specificAgents: { 4: { ...wire.agents, ...own } },
  });
  expect(Object.keys(read)).toEqual(["global-monitor", "global-agent", "monitor:3", "agent:4"]);
  expect(read["agent:4"]).toMatchObject({ overrideGlobal: true, onOffline: true });
});

test("a draft overrides the edited fields only, and a refresh updates the others", () => {
  const drafts = edit({}, "global-monitor", "", { onDown: false });
  const fresh = { ...settings, "global-monitor": { ...settings["global-monitor"], enabled: true } };
  expect(draftOf(fresh, drafts, "global-monitor")).toMatchObject({ enabled: true, onDown: false });
});

test("a target whose edit was undone does not count as changed", () => {
  const drafts = edit(edit({}, "global-agent", "", { onOffline: false }), "monitor:3", "Shop", { enabled: true });
  expect(changedKeys(settings, drafts)).toEqual(["global-agent", "monitor:3"]);
  const back = edit(drafts, "global-agent", "", { onOffline: true });
  expect(changedKeys(settings, back)).toEqual(["monitor:3"]);
});

test("channels chosen in another order do not count as changed", () => {
  const two = { ...settings, "global-monitor": { ...settings["global-monitor"], channels: [1, 2] } };
  expect(changedKeys(two, edit({}, "global-monitor", "", { channels: [2, 1] }))).toEqual([]);
  expect(changedKeys(two, edit({}, "global-monitor", "", { channels: [2] }))).toEqual(["global-monitor"]);
});

test("a threshold that is not a number makes its target invalid", () => {
  const drafts = edit({}, "agent:4", "web-1", { cpuThreshold: Number.NaN });
  expect(invalidKeys(settings, drafts)).toEqual(["agent:4"]);
});

test("saving removes a target's draft, unless it was edited again during the call", () => {
  const sent: Drafts = edit(edit({}, "monitor:1", "Shop", { enabled: true }), "monitor:2", "Bank", { enabled: true });
  const later = edit(sent, "monitor:2", "Bank", { onDown: false });
  expect(Object.keys(withoutSaved(later, sent, ["monitor:1", "monitor:2"]))).toEqual(["monitor:2"]);
  expect(Object.keys(withoutSaved(sent, sent, ["monitor:2"]))).toEqual(["monitor:1"]);
});

test("switching a target's own settings on enables its alerts", () => {
  expect(withOverride(true)).toEqual({ overrideGlobal: true, enabled: true });
  expect(withOverride(false)).toEqual({ overrideGlobal: false });
});

test("alerts enabled without a channel or policy go to every enabled channel", () => {
  const known = [
    { id: 0, enabled: true },
    { id: 1, enabled: false },
    { id: 2, enabled: true },
  ];
  expect(withEnabled(true, { channels: [], policyId: null }, known)).toEqual({ enabled: true, channels: [0, 2] });
  expect(withEnabled(true, { channels: [1], policyId: null }, known)).toEqual({ enabled: true });
  expect(withEnabled(true, { channels: [], policyId: 4 }, known)).toEqual({ enabled: true });
  expect(withEnabled(false, { channels: [], policyId: null }, known)).toEqual({ enabled: false });
});

test("a target without settings of its own starts with a disabled copy of the global ones", () => {
  const settings = toSettings(wireSettings({ monitors: { enabled: true, onRecovery: false, channels: [1] } }));
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
])("a threshold of %p is valid for an agent: %p", (memoryThreshold, valid) => {
  expect(isValid("agent:1", { ...defaultSetting, memoryThreshold })).toBe(valid);
  expect(isValid("global-monitor", { ...defaultSetting, memoryThreshold })).toBe(true);
});

test("a global setting is sent with the fields of its kind only", () => {
  expect(toSettingBody("global-monitor", { ...defaultSetting, enabled: true, channels: [0, 2] })).toEqual({
    target_type: "global-monitor",
    enabled: true,
    on_down: true,
    on_slow: true,
    on_certificate: true,
    on_recovery: true,
    channels: "[0,2]",
    policy_id: null,
  });
});

test("a specific setting is sent with the target's id and override_global", () => {
  expect(
    toSettingBody("agent:7", {
      ...defaultSetting,
      overrideGlobal: true,
      critical: true,
      onDiskThreshold: true,
      policyId: 4,
    }),
  ).toEqual({
    target_type: "agent",
    target_id: 7,
    override_global: true,
    critical: true,
    enabled: false,
    on_recovery: true,
    on_offline: true,
    on_problem: true,
    on_plan: true,
    on_cpu_threshold: false,
    cpu_threshold: 90,
    on_memory_threshold: false,
    memory_threshold: 85,
    on_disk_threshold: true,
    disk_threshold: 90,
    channels: "[]",
    policy_id: 4,
  });
});
