import { expect, test } from "bun:test";
import { ceilingOf, peaksAbove } from "./chart-ceiling";

const pointsOf = (values: readonly (number | null)[]) => values.map((p95, at) => ({ t: at * 60_000, p50: 10, p95 }));
const even = Array.from({ length: 100 }, (_, at) => 40 + (at % 10));

test("a chart reaches up to its highest point", () => {
  expect(ceilingOf(pointsOf([...even, 110]))).toBe(110);
  expect(ceilingOf(pointsOf([]))).toBe(0);
  expect(ceilingOf(pointsOf([null, 20]))).toBe(20);
});

test("few points far above all others leave the chart its scale", () => {
  expect(ceilingOf(pointsOf([...even, 1200]))).toBe(73.5);
});

test("a slow period is drawn in full", () => {
  const slow = Array.from({ length: 5 }, () => 1200);
  expect(ceilingOf(pointsOf([...even, ...slow]))).toBe(1200);
});

test("a chart with few points has no common height, and shows all of them", () => {
  expect(ceilingOf(pointsOf([40, 42, 1200]))).toBe(1200);
});

test("neighbouring points above the chart are one peak with the highest value", () => {
  const points = pointsOf([40, 300, 500, 40, 900, null, 800]);
  const peaks = peaksAbove(points, 100);
  expect(peaks.map(({ t, value }) => [t / 60_000, value])).toEqual([
    [2, 500],
    [4, 900],
    [6, 800],
  ]);
});
