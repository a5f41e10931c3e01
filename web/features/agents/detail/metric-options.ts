import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../lib/charts/chart-theme";
import type { Chart } from "./metrics";

type Shown = { chart: Chart; width: number; window: [number, number] };
type Words = { locale: string; label: (value: number) => string };

const dash = [5, 4];

/** Round figures in KB/s up to a megabyte, and in MB/s from there on. */
const rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const rateSteps = [
  ...rounds.slice(0, 8),
  512,
  ...[...rounds, ...rounds.map((step) => step * 1000)].map((step) => step * 1024),
];

const seriesOf = (chart: Chart): uPlot.Series[] => {
  const [main, second] = [token("--brand-text"), token("--second")];
  const line = { stroke: main, width: 1.75, points: { size: 4, fill: main } };
  if (chart === "cpu") return [line, { stroke: fade(main, 45), width: 1, points: { show: false } }];
  if (chart === "network") return [line, { ...line, stroke: second, dash, points: { size: 4, fill: second } }];
  return [{ ...line, fill: fade(main, 12) }];
};

/** Shares stand between 0 and 100, whatever the data; rates as high as they go. */
export const metricOptions = (
  { chart, width, window }: Shown,
  { locale, label }: Words,
  onPoint: (place: number | null | undefined) => void,
): uPlot.Options => {
  const top = (highest: number | null) => (chart === "network" ? Math.max(1, (highest ?? 0) * 1.1) : 100);
  return {
    width,
    height: 180,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, sync: { key: "agent" } },
    scales: { x: { range: window }, y: { range: (_plot, _min, max) => [0, top(max)] } },
    axes: plotAxes({
      locale,
      label,
      ...(chart === "network" ? { labelWidth: 76, steps: rateSteps } : { labelWidth: 48 }),
    }),
    series: [{}, ...seriesOf(chart)],
    bands: chart === "cpu" ? [{ series: [2, 1], fill: fade(token("--brand-text"), 18) }] : [],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
};
