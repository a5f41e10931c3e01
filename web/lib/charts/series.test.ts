import { expect, test } from "bun:test";
import { timeWindow, withGaps } from "./series";

const minute = 60_000;
const at = (...minutes: number[]) => minutes.map((t) => ({ t: t * minute }));
const times = (points: readonly { t: number }[], bearable?: number) =>
  withGaps(points, bearable).map(({ t, point }) => (point ? t / minute : `gap at ${t / minute}`));

test("where time was skipped there is a hole", () => {
  expect(times(at(0, 1, 2, 6, 7))).toEqual([0, 1, 2, "gap at 3", 6, 7]);
  expect(times(at(0))).toEqual([0]);
  expect(times([])).toEqual([]);
});

test("a report that is merely late leaves no hole", () => {
  expect(times(at(0, 1, 3, 4, 9), 2.5 * minute)).toEqual([0, 1, 3, 4, "gap at 5", 9]);
});

test("the window is the range, or as much of it as there is data for, but an hour at least", () => {
  const now = 10 * 1440 * minute;
  const seconds = (minutes: number) => now / 1000 - minutes * 60;
  expect(timeWindow(at(0), 1, now)).toEqual([seconds(1440), seconds(0)]);
  expect(timeWindow(at(10 * 1440 - 300), 1, now)).toEqual([seconds(300), seconds(0)]);
  expect(timeWindow(at(10 * 1440 - 2), 1, now)).toEqual([seconds(60), seconds(0)]);
});
