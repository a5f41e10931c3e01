import { expect, it } from "bun:test";
import { groupByStart } from "./job";

const NOW = 1_000_000;
const due = (...times: number[]) => times.map((time) => ({ dueAt: NOW + time }));
const delays = (slots: Map<number, { dueAt: number }[]>) => [...slots].map(([delay, jobs]) => [delay, jobs.length]);

it("groups checks that are due at about the same time", () => {
  expect(delays(groupByStart(due(-500, -1, 0, 1, 20, 21, 999), NOW))).toEqual([
    [0, 3],
    [20, 2],
    [40, 1],
    [1000, 1],
  ]);
});

it("starts a single overdue check at once", () => {
  expect(delays(groupByStart(due(-3_600_000), NOW))).toEqual([[0, 1]]);
});

it("spreads many overdue checks over a second", () => {
  const slots = groupByStart(due(...Array(5000).fill(-3_600_000)), NOW);
  expect(slots.size).toBe(51);
  expect(Math.max(...[...slots.values()].map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(Math.max(...slots.keys())).toBeLessThanOrEqual(1000);
});
