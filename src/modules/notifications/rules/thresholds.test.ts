import { describe, expect, it } from "bun:test";
import { DEFAULT_RULE, METRICS, type NotificationRule } from "../../../shared/notifications";
import { channelsOf, effective } from "./service";
import { afterReport, type Figures, thresholdsOf } from "./thresholds";

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

describe("thresholds", () => {
  it("are 90, 85 and 90 until they are changed", () => {
    const all = { onCpuThreshold: true, onMemoryThreshold: true, onDiskThreshold: true };
    expect(thresholdsOf(setting(all))).toEqual({ cpu: 90, memory: 85, disk: 90 });
  });
  it("apply only where they are enabled", () => {
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

type Step = number | null | { figure: number | null; threshold: number | null };

/** The events of a sequence of CPU figures: `+` an alert, `-` its end, `.` nothing. */
const play = (steps: Step[]): string => {
  let levels = 0;
  return steps
    .map((step) => {
      const { figure, threshold } = typeof step === "object" && step !== null ? step : { figure: step, threshold: 90 };
      const result = afterReport(
        levels,
        { cpu: figure, memory: null, disk: null },
        { cpu: threshold, memory: null, disk: null },
      );
      levels = result.levels;
      return result.crossings.map(({ high }) => (high ? "+" : "-")).join("") || ".";
    })
    .join("");
};

const off = (figure: number) => ({ figure, threshold: null });
const at = (figure: number, threshold: number) => ({ figure, threshold });

describe("a figure against its threshold of 90", () => {
  const cases: [string, Step[], string][] = [
    ["alerts at the second high report in a row", [90, 90], ".+"],
    ["alerts once while the figure stays high", [95, 95, 95, 99, 100, 95], ".+...."],
    ["a single high report raises no alert", [95, 10, 95, 10, 95], "....."],
    ["a figure just below the threshold raises no alert", [89.99, 89.99, 89.99], "..."],
    ["a figure between the limits restarts the count", [95, 87, 95, 87, 95], "....."],
    ["ends at the second report in a row below 85", [95, 95, 84.9, 84.9], ".+.-"],
    ["a figure of 85 does not end the alert", [95, 95, 85, 85, 85, 84.9, 84.9], ".+....-"],
    ["a figure between the limits keeps the alert", [95, 95, 87, 88, 86, 87], ".+...."],
    ["a single low report does not end it", [95, 95, 10, 95, 10, 87, 10, 95], ".+......"],
    [
      "a figure that fluctuates around the threshold raises no other alert",
      [95, 95, 89, 91, 89, 91, 89, 91],
      ".+......",
    ],
    ["alerts again after it ended", [95, 95, 10, 10, 95, 95, 10, 10], ".+.-.+.-"],
    ["an unknown figure changes nothing", [95, null, 95, null, 10, null, 10], "..+...-"],
    ["only unknown figures raise no alert", [null, null, null], "..."],
    ["a disabled threshold resets the level without an event", [95, 95, off(10), off(10), 10, 10], ".+...."],
    ["a threshold that is enabled again starts from the lowest level", [95, 95, off(95), 95, 95], ".+..+"],
    ["a raised threshold ends the alert", [95, 95, at(95, 101), at(95, 101), at(95, 101)], ".+.-."],
    ["a lowered threshold alerts after two reports", [80, at(80, 70), at(80, 70)], "..+"],
    ["a threshold of 100 is reached by 100", [at(100, 100), at(100, 100)], ".+"],
  ];
  it.each(cases)("%s", (_, steps, crossings) => expect(play(steps)).toBe(crossings));
});

it("each figure has an alert level of its own", () => {
  const thresholds = { cpu: 90, memory: 85, disk: 90 };
  const orders: ("low" | "high")[][] = [
    ["low", "high", "high"],
    ["high", "high", "low"],
    ["high", "low", "high"],
  ];
  let levels = 0;
  const crossings: string[] = [];
  for (let step = 0; step < 12; step++) {
    const figures = Object.fromEntries(
      METRICS.map((metric, index) => [metric, orders[index]?.[Math.floor(step / 4)] === "high" ? 99 : 1]),
    ) as Figures;
    const result = afterReport(levels, figures, thresholds);
    levels = result.levels;
    crossings.push(...result.crossings.map(({ metric, high }) => `${step} ${metric} ${high ? "+" : "-"}`));
  }
  expect(crossings).toEqual(["1 memory +", "1 disk +", "5 cpu +", "5 disk -", "9 memory -", "9 disk +"]);
});

it("a crossing names the figure and its threshold", () => {
  const figures = { cpu: null, memory: 93.21, disk: null };
  const thresholds = { cpu: null, memory: 85.5, disk: null };
  const { levels } = afterReport(0, figures, thresholds);
  expect(afterReport(levels, figures, thresholds).crossings).toEqual([
    { metric: "memory", high: true, figure: 93.21, threshold: 85.5 },
  ]);
});
