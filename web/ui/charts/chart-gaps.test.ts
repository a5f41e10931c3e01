import { expect, test } from "bun:test";
import type { Gap } from "../hooks/use-unknown-words";
import { gapAt, gapsWithin, lengthOfGaps, outsideOf } from "./chart-gaps";

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const gap = (from: number, to: number | null): Gap => ({
  from: at(from),
  to: to === null ? null : at(to),
  reason: "hub_stopped",
});

test("a chart has the gaps that reach into its window, in seconds, the last one until its end while it lasts", () => {
  const gaps = [gap(0, 5), gap(8, 12), gap(15, 16), gap(20, null)];
  expect(gapsWithin(gaps, [600, 1500])).toEqual([
    { from: 600, to: 720, gap: gap(8, 12) },
    { from: 900, to: 960, gap: gap(15, 16) },
    { from: 1200, to: 1500, gap: gap(20, null) },
  ]);
});

test("a gap that lasts is drawn up to now, not up to the end of the chart", () => {
  expect(gapsWithin([gap(20, null)], [600, 1500], 1260)).toEqual([{ from: 1200, to: 1260, gap: gap(20, null) }]);
  expect(gapsWithin([gap(20, null)], [600, 1500], 1000)).toEqual([]);
});

test("periods have no part in unknown time, but in maintenance", () => {
  const maintenance = { from: at(2), to: at(3), reason: "maintenance" as const, title: "" };
  const gaps = gapsWithin([maintenance, gap(8, 12), gap(15, 16)], [0, 1500]);
  const period = (from: number, to: number) => ({ from, to, share: 1 });
  expect(outsideOf([period(0, 1500)], gaps)).toEqual([period(0, 480), period(720, 900), period(960, 1500)]);
  expect(outsideOf([period(500, 700), period(600, 800)], gaps)).toEqual([period(720, 800)]);
});

test("the gap at the crosshair is the one below it, or so near that a finger means it", () => {
  const gaps = gapsWithin([gap(8, 12), gap(15, 16)], [0, 1500]);
  expect(gapAt(gaps, 500, 30)).toEqual(gap(8, 12));
  expect(gapAt(gaps, 730, 30)).toEqual(gap(8, 12));
  expect(gapAt(gaps, 800, 30)).toBeNull();
  expect(gapAt(gaps, undefined, 30)).toBeNull();
});

test("the length of all gaps of a chart is in seconds", () => {
  expect(lengthOfGaps(gapsWithin([gap(8, 12), gap(15, 16)], [0, 1500]))).toBe(300);
  expect(lengthOfGaps([])).toBe(0);
});
