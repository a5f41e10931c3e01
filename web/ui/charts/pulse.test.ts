import { expect, test } from "bun:test";
import { toSlots } from "../../lib/series";
import { pulseHeights, pulsePaths, typicalTime } from "./pulse";

const up = (response_time?: number | null) => ({ status: "up", response_time });
const down = { status: "down", response_time: 900 };

test("a slot is as high as its response time against the 95th percentile of the bar", () => {
  const steady = Array.from({ length: 38 }, () => up(100));
  const heights = pulseHeights(toSlots([...steady, up(50), up(10)], 40));
  expect(heights.slice(-3)).toEqual([0.75, 0.375, 0.25]);
});

test("a response slower than the 95th percentile stands out, at most to the full height", () => {
  const heights = pulseHeights(toSlots([...Array.from({ length: 38 }, () => up(100)), up(120), up(5000)], 40));
  expect(heights.at(-3)).toBe(0.75);
  expect(heights.at(-2)).toBeCloseTo(0.9);
  expect(heights.at(-1)).toBe(1);
});

test("failures have the full height, unknown response times 60 %, and empty slots none", () => {
  expect(pulseHeights(toSlots([down, up(), up(null), { status: "other" }], 5))).toEqual([0, 1, 0.6, 0.6, 0.6]);
  expect(pulseHeights(toSlots([up(0), up(0)], 2))).toEqual([0.25, 0.25]);
});

test("the typical response time is the median of successful checks", () => {
  expect(typicalTime(toSlots([up(10), down, up(30), up(20), up(null)], 6))).toBe(20);
  expect(typicalTime(toSlots([down], 3))).toBeUndefined();
});

test("slow answers are in a state of their own, with the heights of successful ones", () => {
  const slots = toSlots([up(100), { ...up(100), slow: true }, { ...down, slow: true }], 3);
  expect(slots.map(({ state }) => state)).toEqual(["up", "degraded", "down"]);
  expect(pulseHeights(slots)).toEqual([0.75, 0.75, 1]);
  expect(typicalTime(slots)).toBe(100);
});

test("a bar has one path for each state, and a failure is cut in two", () => {
  const paths = pulsePaths(toSlots([up(10), down, up(10)], 4));
  expect(paths.map(({ state }) => state)).toEqual(["empty", "up", "down"]);
  expect(paths.map(({ d }) => d.split("Z").length - 1)).toEqual([1, 2, 2]);
});
