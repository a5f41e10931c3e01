import type uPlot from "uplot";
import type { Stretch } from "./chart-data";

type Shown = { width: number; window: [number, number]; stretches: readonly Stretch[] };
type Words = { locale: string; number: (value: number) => string };

/** Colours come from the page's tokens, read anew whenever the theme changes. */
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const fade = (colour: string, percent: number) => `color-mix(in srgb, ${colour} ${percent}%, transparent)`;

const shade =
  (stretches: readonly Stretch[]) =>
  ({ ctx, bbox, valToPos }: uPlot) => {
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to } of stretches) {
      const left = valToPos(from, "x", true);
      const width = Math.max(2, valToPos(to, "x", true) - left);
      ctx.fillStyle = fade(token("--down"), 16);
      ctx.fillRect(left, bbox.top, width, bbox.height);
      ctx.fillStyle = token("--down");
      ctx.fillRect(left, bbox.top + bbox.height - 3 * devicePixelRatio, width, 3 * devicePixelRatio);
    }
    ctx.restore();
  };

const timeLabels = (locale: string) => (plot: uPlot, ticks: number[]) => {
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const days = ((max ?? 0) - (min ?? 0)) / 86_400;
  const format = new Intl.DateTimeFormat(
    locale,
    days <= 2 ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { month: "numeric", day: "numeric" },
  );
  return ticks.map((tick) => format.format(tick * 1000));
};

export const chartOptions = (
  { width, window, stretches }: Shown,
  { locale, number }: Words,
  onPoint: (place: number | null | undefined) => void,
): uPlot.Options => {
  const brand = token("--brand-text");
  const axis = {
    stroke: token("--ink-soft"),
    grid: { stroke: token("--line"), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  };
  return {
    width,
    height: 240,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: brand } },
    scales: { x: { range: window }, y: { range: (_plot, _min, max) => [0, Math.max(10, (max ?? 0) * 1.1)] } },
    axes: [
      { ...axis, values: timeLabels(locale), space: 64, size: 28, grid: { show: false } },
      { ...axis, size: 68, values: (_plot, ticks) => ticks.map((tick) => `${number(tick)} ms`) },
    ],
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
