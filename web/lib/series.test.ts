import { expect, test } from "bun:test";
import { timeWindow, toSlots, withGaps } from "./series";

const states = (history: readonly string[], count: number) =>
  toSlots(
    history.map((status) => ({ status })),
    count,
  ).map(({ state }) => state);

test("toSlots pads a short history on the left", () => {
  expect(states(["up", "down"], 4)).toEqual(["empty", "empty", "up", "down"]);
});

test("toSlots keeps the newest checks of a long history", () => {
  expect(states(["down", "up", "up"], 2)).toEqual(["up", "up"]);
});

test("toSlots returns only empty slots without a history", () => {
  expect(states([], 24)).toEqual(Array.from({ length: 24 }, () => "empty"));
});

test("toSlots maps an unrecognized status to unknown", () => {
  expect(states(["up", "down", "unknown", "pending"], 4)).toEqual(["up", "down", "unknown", "unknown"]);
});

const minute = 60_000;
const at = (...minutes: number[]) => minutes.map((t) => ({ t: t * minute }));
const times = (points: readonly { t: number }[], tolerance?: number) =>
  withGaps(points, tolerance).map(({ t, point }) => (point ? t / minute : `gap at ${t / minute}`));

test("withGaps inserts a gap where points are missing", () => {
  expect(times(at(0, 1, 2, 6, 7))).toEqual([0, 1, 2, "gap at 3", 6, 7]);
  expect(times(at(0))).toEqual([0]);
  expect(times([])).toEqual([]);
});

test("withGaps inserts no gap for an interval within the tolerance", () => {
  expect(times(at(0, 1, 3, 4, 9), 2.5 * minute)).toEqual([0, 1, 3, 4, "gap at 5", 9]);
});

test("the time window is the range, shortened to the data, but at least an hour", () => {
  const now = 10 * 1440 * minute;
  const seconds = (minutes: number) => now / 1000 - minutes * 60;
  expect(timeWindow(at(0), 1, now)).toEqual([seconds(1440), seconds(0)]);
  expect(timeWindow(at(10 * 1440 - 300), 1, now)).toEqual([seconds(300), seconds(0)]);
  expect(timeWindow(at(10 * 1440 - 2), 1, now)).toEqual([seconds(60), seconds(0)]);
});

test("a history of plain states is drawn as these states", () => {
  const states = toSlots(["up", "down", "unknown", "up"], 5).map(({ state }) => state);
  expect(states).toEqual(["empty", "up", "down", "unknown", "up"]);
});
