import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { downPeriods, toColumns, totals } from "./response-chart";

const minute = 60_000;
const point = (at: number, avg: number | null, down = 0) => ({
  t: at * minute,
  up: avg === null ? 0 : 5,
  down,
  avg,
  min: avg,
  max: avg,
  p50: avg,
  p95: avg,
  p99: avg,
});

test("a gap in time breaks the line of the chart", () => {
  const [times, average] = toColumns([point(0, 10), point(1, 12), point(5, 20)]);
  expect(times).toEqual([0, 60, 120, 300]);
  expect(average).toEqual([10, 12, null, 20]);
});

test("neighbouring down points are one period", () => {
  expect(downPeriods([point(0, 1), point(1, null, 1), point(2, null, 1), point(3, 1), point(9, null, 2)])).toEqual([
    { from: 30, to: 150, share: 1 },
    { from: 510, to: 570, share: 1 },
  ]);
});

test("a down period contains the share of its failed checks", () => {
  const mixed = { ...point(1, 20, 1), up: 4 };
  expect(downPeriods([point(0, 1), mixed, point(2, null, 3)])).toEqual([
    { from: 30, to: 90, share: 0.2 },
    { from: 90, to: 150, share: 1 },
  ]);
});

test("totals weight each point by its checks and ignore gaps", () => {
  const sums = totals([point(0, 10), { ...point(1, 40), up: 15 }, point(2, null, 3)]);
  expect(sums).toEqual({ up: 20, down: 3, average: 32.5, min: 10, max: 40 });
  expect(totals([])).toEqual({ up: 0, down: 0, average: null, min: null, max: null });
});

test("the interval of a monitor that is longer than the distance of points is not a gap", () => {
  const points = [point(0, 10), point(1, 11), point(3, 12), point(5, 13)];
  expect(toColumns(points)[1]).toContain(null);
  const step = (points[1]?.t ?? 0) - (points[0]?.t ?? 0);
  expect(toColumns(points, 2 * step * 1.5)[1]).toEqual([10, 11, 12, 13]);
});
