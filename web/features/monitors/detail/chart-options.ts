import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../lib/charts/chart-theme";
import type { Stretch } from "./chart-data";

type Shown = { width: number; window: [number, number]; stretches: readonly Stretch[] };
type Words = { locale: string; number: (value: number) => string };

/** Shades each stretch as high as the share of its checks that failed: one failure of five fills a fifth. */
const shade =
  (stretches: readonly Stretch[]) =>
  ({ ctx, bbox, valToPos }: uPlot) => {
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, share } of stretches) {
      const left = valToPos(from, "x", true);
      const width = Math.max(2, valToPos(to, "x", true) - left);
      ctx.fillStyle = fade(token("--down"), 16);
      ctx.fillRect(left, bbox.top + bbox.height * (1 - share), width, bbox.height * share);
      ctx.fillStyle = token("--down");
      ctx.fillRect(left, bbox.top + bbox.height - 3 * devicePixelRatio, width, 3 * devicePixelRatio);
    }
    ctx.restore();
  };

export const chartOptions = (
  { width, window, stretches }: Shown,
  { locale, number }: Words,
  onPoint: (place: number | null | undefined) => void,
): uPlot.Options => {
  const brand = token("--brand-text");
  return {
    width,
    height: 240,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: brand } },
    scales: { x: { range: window }, y: { range: (_plot, _min, max) => [0, Math.max(10, (max ?? 0) * 1.1)] } },
    axes: plotAxes({ locale, labelWidth: 68, label: (value) => `${number(value)} ms` }),
    series: [
      {},
      { stroke: brand, width: 1.75, points: { size: 4, fill: brand } },
      { stroke: "transparent", points: { show: false } },
      { stroke: "transparent", points: { show: false } },
    ],
    bands: [{ series: [3, 2], fill: fade(brand, 18) }],
    hooks: { drawClear: [shade(stretches)], setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
};
