import { describe, expect, it } from "bun:test";
import type { EventKind } from "../../../shared/alerts";
import { DEFAULT_RULE, type NotificationRule } from "../../../shared/setting";
import { channelsFor, effective, thresholdsOf } from "./effective";

const KINDS: EventKind[] = [
  "down",
  "recovery",
  "offline",
  "online",
  "cpu_high",
  "cpu_normal",
  "memory_high",
  "memory_normal",
  "disk_high",
  "disk_normal",
];

const NOTHING: Partial<NotificationRule> = { onDown: false, onRecovery: false, onOffline: false };
const setting = (wanted: Partial<NotificationRule>): NotificationRule => ({
  ...DEFAULT_RULE,
  enabled: true,
  channels: [1],
  ...wanted,
});
const toldOf = (wanted: Partial<NotificationRule>) =>
  KINDS.filter((kind) => channelsFor(kind, setting(wanted)).length > 0);

describe("who is told", () => {
  const cases: [string, Partial<NotificationRule>, EventKind[]][] = [
    ["nothing while it is not enabled", { enabled: false, onCpuThreshold: true }, []],
    ["what is on from the start", {}, ["down", "recovery", "offline", "online"]],
    ["only of going down", { ...NOTHING, onDown: true }, ["down"]],
    ["only of going offline", { ...NOTHING, onOffline: true }, ["offline"]],
    ["of recoveries", { ...NOTHING, onRecovery: true }, ["recovery", "online"]],
    ["of high figures alone", { ...NOTHING, onCpuThreshold: true, onDiskThreshold: true }, ["cpu_high", "disk_high"]],
    [
      "of high figures and their end",
      { ...NOTHING, onRecovery: true, onMemoryThreshold: true },
      ["recovery", "online", "memory_high", "memory_normal"],
    ],
    ["nobody without a channel", { channels: [] }, []],
  ];
  it.each(cases)("%s", (_, wanted, kinds) => expect(toldOf(wanted)).toEqual(kinds));

  it("each channel once, in the order they were chosen", () =>
    expect(channelsFor("down", setting({ channels: [3, 1, 3, 0, 1] }))).toEqual([3, 1, 0]));
});

describe("which setting counts", () => {
  const global = setting({ channels: [1] });
  const specific = setting({ channels: [2], overrideGlobal: true });
  it("nothing is told until somebody asks for it", () => {
    expect(effective(undefined, undefined)).toEqual(DEFAULT_RULE);
    for (const kind of KINDS) expect(channelsFor(kind, { ...DEFAULT_RULE, channels: [1] })).toEqual([]);
  });
  it("the specific one where it overrides", () => {
    expect(effective(global, specific)).toBe(specific);
    expect(effective(undefined, specific)).toBe(specific);
  });
  it("the global one where the specific one does not override", () => {
    expect(effective(global, { ...specific, overrideGlobal: false })).toBe(global);
    expect(effective(undefined, { ...specific, overrideGlobal: false })).toEqual(DEFAULT_RULE);
  });
  it("an override that is off silences one alone", () =>
    expect(channelsFor("down", effective(global, { ...specific, enabled: false }))).toEqual([]));
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
