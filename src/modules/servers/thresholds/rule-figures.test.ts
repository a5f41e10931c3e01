import { describe, expect, it } from "bun:test";
import { type AlarmState, defaultClear } from "../../../shared/agents/thresholds";
import { METRICS, type Metric } from "../../../shared/notifications";
import { sampleAt } from "../../../testing/fixtures/agents";
import type { AppliedThreshold } from "./effective";
import { evaluateRuleFigures } from "./rule-figures";

type Figures = Record<Metric, number | null>;
const NONE: Figures = { cpu: null, memory: null, disk: null };
const usage = (percent: number | null) =>
  percent === null ? { total: 0, used: 0 } : { total: 10_000, used: percent * 100 };

const thresholdOf = (metric: Metric, threshold: number): AppliedThreshold => ({
  ...{ id: 1, scope: "all", metric, subject: "", minutes: null },
  ...{ threshold, clear: defaultClear(metric, threshold) },
});

/** The alarms after a report with these figures, and the alerts that it begins or ends with an event. */
const report = (before: AlarmState[], figures: Figures, limits: Figures) => {
  const { cpu, memory, disk } = figures;
  const thresholds = METRICS.flatMap((metric) => {
    const limit = limits[metric];
    return limit === null ? [] : [thresholdOf(metric, limit)];
  });
  const newest = sampleAt(1000, { cpu, memory: usage(memory), disk: usage(disk) });
  const { alarms, changes } = evaluateRuleFigures(before, { newest, at: 1000, thresholds, unreadable: [] });
  return { alarms, crossings: changes.filter(({ event }) => event !== null) };
};

type Step = number | null | { figure: number | null; threshold: number | null };

/** The events of a sequence of CPU figures: `+` an alert, `-` its end, `.` nothing. */
const play = (steps: Step[]): string => {
  let alarms: AlarmState[] = [];
  return steps
    .map((step) => {
      const { figure, threshold } = typeof step === "object" && step !== null ? step : { figure: step, threshold: 90 };
      const result = report(alarms, { ...NONE, cpu: figure }, { ...NONE, cpu: threshold });
      alarms = result.alarms;
      return result.crossings.map(({ begins }) => (begins ? "+" : "-")).join("") || ".";
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

it("each figure has an alarm of its own", () => {
  const thresholds = { cpu: 90, memory: 85, disk: 90 };
  const orders: ("low" | "high")[][] = [
    ["low", "high", "high"],
    ["high", "high", "low"],
    ["high", "low", "high"],
  ];
  let alarms: AlarmState[] = [];
  const crossings: string[] = [];
  for (let step = 0; step < 12; step++) {
    const figures = Object.fromEntries(
      METRICS.map((metric, index) => [metric, orders[index]?.[Math.floor(step / 4)] === "high" ? 99 : 1]),
    ) as Figures;
    const result = report(alarms, figures, thresholds);
    alarms = result.alarms;
    crossings.push(...result.crossings.map(({ kind, begins }) => `${step} ${kind} ${begins ? "+" : "-"}`));
  }
  expect(crossings).toEqual(["1 memory +", "1 disk +", "5 disk -", "5 cpu +", "9 memory -", "9 disk +"]);
});

it("a crossing names the figure and its threshold", () => {
  const figures = { ...NONE, memory: 93.25 };
  const thresholds = { ...NONE, memory: 85.5 };
  const { alarms } = report([], figures, thresholds);
  expect(report(alarms, figures, thresholds).crossings).toEqual([
    { kind: "memory", subject: "", begins: true, event: { figure: 93.25, threshold: 85.5, mount: null } },
  ]);
});
