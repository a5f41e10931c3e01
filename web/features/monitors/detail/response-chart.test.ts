import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import type { OutageKind } from "../../../../src/shared/notifications";
import { downPeriods, outagePeriods, toColumns } from "./response-chart";

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
  const last = { ...point(5, 20), p95: 31 };
  const { data, points } = toColumns([point(0, 10), point(1, 12), last]);
  const [times, median, p95] = data;
  expect(times).toEqual([0, 60, 120, 300]);
  expect(median).toEqual([10, 12, null, 20]);
  expect(p95).toEqual([10, 12, null, 31]);
  expect(points.at(2)).toBeNull();
  expect(points.at(3)).toBe(last);
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

test("the interval of a monitor that is longer than the distance of points is not a gap", () => {
  const points = [point(0, 10), point(1, 11), point(3, 12), point(5, 13)];
  expect(toColumns(points).data[1]).toContain(null);
  const step = (points[1]?.t ?? 0) - (points[0]?.t ?? 0);
  expect(toColumns(points, 2 * step * 1.5).data[1]).toEqual([10, 11, 12, 13]);
});

test("outages are periods of the chart while all of them that reach into it are known", () => {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const outage = (from: number, to: number | null, kind: OutageKind = "down") => ({
    kind,
    started_at: iso(from),
    ended_at: to === null ? null : iso(to),
  });
  const listed = [outage(900, null), outage(500, 600), outage(100, 200)];
  expect(outagePeriods(listed, [550, 1000])).toEqual([
    { from: 900, to: 1000, share: 1 },
    { from: 500, to: 600, share: 1 },
  ]);
  expect(outagePeriods(listed, [550, 1000], 950)?.[0]).toEqual({ from: 900, to: 950, share: 1 });
  expect(outagePeriods([outage(900, null, "slow"), outage(700, null, "certificate")], [550, 1000])).toEqual([
    { from: 900, to: 1000, share: 1, slow: true },
  ]);
  const many = Array.from({ length: 20 }, (_, index) => outage(900 - index * 10, 905 - index * 10));
  expect(outagePeriods(many, [800, 1000])).toHaveLength(11);
  expect(outagePeriods(many, [600, 1000])).toBeUndefined();
});
