import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import type uPlot from "uplot";
import { plotAxes } from "../../../../lib/chart-theme";
import { withGaps } from "../../../../lib/series";
import { toColumns, topOf } from "./metric-chart";
import { peakOf, totals } from "./rows";

const minute = 60_000;
const point = (at: number, cpu: number | null, rx: number | null = 1) => ({
  t: at * minute,
  cpu,
  cpu_max: cpu === null ? null : cpu + 10,
  memory: 50,
  disk: 60,
  rx,
  tx: 2,
});
const rows = withGaps([point(0, null, null), point(1, 10), point(2, 30), point(9, 50)], 2.5 * minute);

test("missing reports and a first sample without rates are gaps in the chart", () => {
  expect(toColumns(rows, ["cpu", "cpu_max"])).toEqual([
    [0, 60, 120, 180, 540],
    [null, 10, 30, null, 50],
    [null, 20, 40, null, 60],
  ]);
  expect(toColumns(rows, ["rx"])[1]).toEqual([null, 1, 1, null, 1]);
});

test("average and peak of a metric ignore gaps", () => {
  expect(totals(rows, "cpu")).toEqual({ average: 30, peak: 50 });
  expect(totals(rows, "cpu_max").peak).toBe(60);
  expect(totals(withGaps([point(0, null)]), "cpu")).toEqual({ average: null, peak: null });
  const lines = ["cpu", "memory"].map((key) => ({ key, label: key, look: "main" as const }));
  expect([peakOf(rows, lines), peakOf([], lines)]).toEqual([50, null]);
});

test("the axis of a figure without an upper bound includes a threshold that is near, and not one that is far", () => {
  expect([topOf(50, null), topOf(50, 80), topOf(50, 40)].map(Math.round)).toEqual([55, 88, 55]);
  expect(topOf(0.5, 16)).toBe(1);
});

test("the axis of times has no label in the corner, where the lowest value is", () => {
  const [times] = plotAxes({ locale: "en-GB", labelWidth: 40, label: String });
  const plot = {
    scales: { x: { min: 0, max: 3600 } },
    valToPos: (seconds: number) => seconds / 60,
  } as unknown as uPlot;
  const write = times?.values as (plot: uPlot, ticks: number[]) => string[];
  expect(write(plot, [0, 1380, 1440, 3600]).map((label) => label !== "")).toEqual([false, false, true, true]);
});
