import type uPlot from "uplot";
import { CLOCK, DATE } from "./format";

/** The value of a CSS variable of the page. It changes with the theme. */
export const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const fade = (colour: string, percent: number) => `color-mix(in srgb, ${colour} ${percent}%, transparent)`;

const timeLabels = (locale: string) => (plot: uPlot, ticks: number[]) => {
  const { min, max } = plot.scales.x ?? {};
  const days = ((max ?? 0) - (min ?? 0)) / 86_400;
  const format = new Intl.DateTimeFormat(locale, days <= 2 ? CLOCK : DATE);
  return ticks.map((tick) => format.format(tick * 1000));
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
    { ...axis, values: timeLabels(locale), space: 64, size: 28, grid: { show: false } },
    { ...axis, size: labelWidth, values: (_plot, ticks) => ticks.map(label), ...(steps && { incrs: steps }) },
  ];
};
