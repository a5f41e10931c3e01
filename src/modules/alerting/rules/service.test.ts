import { describe, expect, it } from "bun:test";
import { DEFAULT_RULE, DEFAULT_THRESHOLDS, type NotificationRule } from "../../../shared/notifications";
import { channelsOf, effective, thresholdsOf } from "./service";

const setting = (changes: Partial<NotificationRule>): NotificationRule => ({
  ...DEFAULT_RULE,
  enabled: true,
  channels: [1],
  ...changes,
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
  it("is the target's own when that overrides the global one", () => {
    expect(effective(global, specific)).toEqual(specific);
    expect(effective(undefined, specific)).toEqual(specific);
  });
  it("is the global one when the target's own does not override it", () => {
    expect(effective(global, { ...specific, overrideGlobal: false })).toEqual(global);
    expect(effective(undefined, { ...specific, overrideGlobal: false })).toEqual(DEFAULT_RULE);
  });
});

describe("the thresholds of a rule", () => {
  const alertsOf = (changes: Partial<NotificationRule>, targetId = 0) =>
    thresholdsOf(targetId, setting(changes), DEFAULT_THRESHOLDS).alerts;
  it("are 90, 85 and 90 until they are changed", () =>
    expect(DEFAULT_THRESHOLDS).toEqual({ cpu: 90, memory: 85, disk: 90 }));
  it("alert only where they are enabled", () => {
    expect(alertsOf({ events: ["cpu", "memory", "disk"] })).toEqual(["cpu", "memory", "disk"]);
    expect(alertsOf({ events: ["recovery", "disk"] })).toEqual(["disk"]);
    expect(alertsOf({ enabled: false, events: ["cpu"] })).toEqual([]);
  });
  it("of a single server count if its rule overrides the global one", () => {
    expect(alertsOf({ events: ["cpu"], overrideGlobal: true }, 5)).toEqual(["cpu"]);
    expect(alertsOf({ enabled: false, overrideGlobal: true }, 5)).toEqual([]);
    expect(alertsOf({ events: ["cpu"] }, 5)).toBeNull();
  });
});
