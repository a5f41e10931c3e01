import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../lib/chart-theme";
import { hubNow } from "../../../lib/now";
import { timeWindow } from "../../../lib/series";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Point, type Range, rangeDays } from "../api";
import type { Chart } from "./metrics-panel";

type Metric = Exclude<keyof Point, "t">;

/** A time and what was measured then; null marks a gap. */
type Row = { t: number; point: Point | null };

/** The metrics that each chart draws, the main one first. */
const metricsOf: Record<Chart, readonly Metric[]> = {
  cpu: ["cpu", "cpu_max"],
  memory: ["memory"],
  disk: ["disk"],
  network: ["rx", "tx"],
};

/** uPlot's columns: times in seconds, then one column for each metric, with null for a gap. */
export const toColumns = (rows: readonly Row[], metrics: readonly Metric[]): (number | null)[][] => [
  rows.map(({ t }) => t / 1000),
  ...metrics.map((metric) => rows.map(({ point }) => point?.[metric] ?? null)),
];

/** The average and the highest of a metric's known values; null without any. */
export const totals = (rows: readonly Row[], metric: Metric): { average: number | null; peak: number | null } => {
  const known = rows.map(({ point }) => point?.[metric] ?? null).filter((value) => value !== null);
  if (known.length === 0) return { average: null, peak: null };
  return { average: known.reduce((sum, value) => sum + value, 0) / known.length, peak: Math.max(...known) };
};

/** A period without reports; `to` is undefined while it lasts. Both in ms. */
export type Offline = { from: number; to: number | undefined };

type View = { chart: Chart; width: number; height: number; window: [number, number] };
type Marks = { offline: readonly Offline[]; threshold: number | null };
type Labels = { locale: string; label: (value: number) => string };

const dash = [5, 4];

/** Steps of the axis: round in KB/s up to a megabyte, and round in MB/s above it. */
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

/** Shades the periods without reports. Only the one that lasts is red. */
const drawOffline =
  (periods: readonly Offline[]) =>
  ({ ctx, bbox, valToPos, scales }: uPlot) => {
    const { min = 0, max = 0 } = scales.x ?? {};
    for (const { from, to } of periods) {
      const [begin, end] = [Math.max(from / 1000, min), to === undefined ? max : Math.min(to / 1000, max)];
      if (end < begin) continue;
      const left = valToPos(begin, "x", true);
      const width = Math.max(2 * devicePixelRatio, valToPos(end, "x", true) - left);
      const colour = token(to === undefined ? "--down" : "--paused");
      ctx.fillStyle = fade(colour, 14);
      ctx.fillRect(left, bbox.top, width, bbox.height);
      ctx.fillStyle = fade(colour, 70);
      ctx.fillRect(left, bbox.top + bbox.height - 2 * devicePixelRatio, width, 2 * devicePixelRatio);
    }
  };

/** A dashed line at the threshold of alerts. */
const drawThreshold =
  (threshold: number | null) =>
  ({ ctx, bbox, valToPos }: uPlot) => {
    if (threshold === null) return;
    const y = valToPos(threshold, "y", true);
    ctx.save();
    ctx.strokeStyle = token("--ink-soft");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  };

/** uPlot's options. The axis of a share runs from 0 to 100; that of a rate up to the highest value. */
const metricOptions = (
  { chart, width, height, window }: View,
  { offline, threshold }: Marks,
  { locale, label }: Labels,
  onPoint: (index: number | null | undefined) => void,
): uPlot.Options => {
  const top = (highest: number | null) => (chart === "network" ? Math.max(1, (highest ?? 0) * 1.1) : 100);
  return {
    ...{ width, height },
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, sync: { key: "agent" } },
    scales: { x: { range: window }, y: { range: (_plot, _min, max) => [0, top(max)] } },
    axes: plotAxes({
      locale,
      label,
      ...(chart === "network" ? { labelWidth: 70, steps: rateSteps } : { labelWidth: 42 }),
    }),
    series: [{}, ...seriesOf(chart)],
    bands: chart === "cpu" ? [{ series: [2, 1], fill: fade(token("--brand-text"), 18) }] : [],
    hooks: {
      drawClear: [drawOffline(offline)],
      draw: [drawThreshold(threshold)],
      setCursor: [({ cursor }) => onPoint(cursor.idx)],
    },
  };
};

/** The heights of a chart in pixels. */
const SMALL = 124;
const LARGE = 300;

type ChartProps = {
  chart: Chart;
  rows: readonly Row[];
  range: Range;
  threshold: number | null;
  offline: readonly Offline[];
  large: boolean;
};

/** The chart of one resource. Its crosshair is shared by those of the other resources. */
export default function MetricChart({ chart, rows, range, threshold, offline, large }: ChartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [index, setIndex] = useState<number | null>();
  const metrics = metricsOf[chart];
  const value = chart === "network" ? format.rate : format.share;
  const data = useMemo(() => toColumns(rows, metrics) as uPlot.AlignedData, [rows, metrics]);
  const options = useCallback(
    (width: number) => {
      const window = timeWindow(rows, rangeDays[range], hubNow());
      const view = { chart, width, height: large ? LARGE : SMALL, window };
      return metricOptions(view, { offline, threshold }, { locale: i18n.language, label: value }, setIndex);
    },
    [chart, rows, range, offline, threshold, large, i18n.language, value],
  );

  const sums = metrics.map((metric) => ({ metric, ...totals(rows, metric) }));
  const alert = threshold === null ? undefined : t("agents.chart.threshold", { share: format.share(threshold) });
  const summary = [
    ...sums.map(({ metric, average, peak }) =>
      t("agents.chart.summary", {
        metric: t(`agents.chart.metric.${metric}`),
        average: value(average),
        peak: value(peak),
      }),
    ),
    ...(alert ? [alert] : []),
  ].join("; ");
  const row = typeof index === "number" ? rows[index] : undefined;
  const peaks = sums.map(({ peak }) => peak).filter((peak) => peak !== null);
  const peak = value(peaks.length > 0 ? Math.max(...peaks) : null);

  return (
    <>
      <p className="chart-legend" aria-hidden="true">
        {row && <b>{format.moment(row.t)}</b>}
        {metrics.map((metric) => (
          <span key={metric} className={`key ${metric}`}>
            {t(`agents.chart.metric.${metric}`)} {row && <b>{value(row.point?.[metric] ?? null)}</b>}
          </span>
        ))}
        {!row && <span>{t("agents.chart.peak", { peak })}</span>}
        {!row && alert && <span className="key alert">{alert}</span>}
      </p>
      <Plot data={data} options={options} label={`${t(`agents.resource.${chart}`)}. ${summary}`} />
    </>
  );
}
