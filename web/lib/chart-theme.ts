import type uPlot from "uplot";
import { CLOCK, DATE } from "./format";

/** The value of a CSS variable of the page. It changes with the theme. */
export const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const fade = (colour: string, percent: number) => `color-mix(in srgb, ${colour} ${percent}%, transparent)`;

/** Whether an axis from `min` to `max`, in seconds, has times of day instead of dates. */
const isClock = (min: number, max: number): boolean => max - min <= 2 * 86_400;

/** A time nearer to the left edge, in pixels, has no label, because it would touch the lowest value. */
const CORNER = 24;

const timeLabels = (locale: string) => (plot: uPlot, ticks: number[]) => {
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const format = new Intl.DateTimeFormat(locale, isClock(min, max) ? CLOCK : DATE);
  return ticks.map((tick) => (plot.valToPos(tick, "x") < CORNER ? "" : format.format(tick * 1000)));
};

type Axes = { locale: string; labelWidth: number; label: (value: number) => string; steps?: number[] };

/** The axes of a chart: times below, values at the left with grid lines. */
export const plotAxes = ({ locale, labelWidth, label, steps }: Axes): uPlot.Axis[] => {
  const axis = {
    stroke: token("--ink-soft"),
    grid: { stroke: token("--line"), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  };
  return [
    {
      ...axis,
      values: timeLabels(locale),
      space: (_plot, _axis, min, max) => (isClock(min, max) ? 48 : 64),
      size: 28,
      grid: { show: false },
    },
    { ...axis, size: labelWidth, values: (_plot, ticks) => ticks.map(label), ...(steps && { incrs: steps }) },
  ];
};
