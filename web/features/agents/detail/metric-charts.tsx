import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../lib/chart-theme";
import { timeWindow, withGaps } from "../../../lib/series";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Point, type Range, rangeDays } from "../api";

const charts = ["cpu", "memory", "disk", "network"] as const;
type Chart = (typeof charts)[number];
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

type View = { chart: Chart; width: number; window: [number, number] };
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

/** uPlot's options. The axis of a share runs from 0 to 100; that of a rate up to the highest value. */
const metricOptions = (
  { chart, width, window }: View,
  { locale, label }: Labels,
  onPoint: (index: number | null | undefined) => void,
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

type ChartProps = { chart: Chart; rows: readonly Row[]; range: Range };

function MetricChart({ chart, rows, range }: ChartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [index, setIndex] = useState<number | null>();
  const metrics = metricsOf[chart];
  const value = chart === "network" ? format.rate : format.share;
  const data = useMemo(() => toColumns(rows, metrics) as uPlot.AlignedData, [rows, metrics]);
  const options = useCallback(
    (width: number) => {
      const window = timeWindow(rows, rangeDays[range], Date.now());
      return metricOptions({ chart, width, window }, { locale: i18n.language, label: value }, setIndex);
    },
    [chart, rows, range, i18n.language, value],
  );

  const sums = metrics.map((metric) => ({ metric, ...totals(rows, metric) }));
  const summary = sums
    .map(({ metric, average, peak }) =>
      t("agents.chart.summary", {
        metric: t(`agents.chart.metric.${metric}`),
        average: value(average),
        peak: value(peak),
      }),
    )
    .join("; ");
  const peaks = sums.map(({ peak }) => peak).filter((peak) => peak !== null);
  const row = (typeof index === "number" && rows[index]) || rows.at(-1);

  return (
    <section className="card metric-chart">
      <div className="section-head">
        <h3>{t(`agents.resource.${chart}`)}</h3>
        <span className="soft small figure">
          {t("agents.chart.peak", { peak: value(peaks.length > 0 ? Math.max(...peaks) : null) })}
        </span>
      </div>
      <p className="chart-legend" aria-hidden="true">
        {row && <span>{format.dateTime(row.t)}</span>}
        {metrics.map((metric) => (
          <span key={metric} className={`key ${metric}`}>
            {t(`agents.chart.metric.${metric}`)} <b>{value(row?.point?.[metric] ?? null)}</b>
          </span>
        ))}
      </p>
      <Plot data={data} options={options} label={`${t(`agents.resource.${chart}`)}. ${summary}`} />
    </section>
  );
}

type Props = {
  points: readonly Point[];
  range: Range;
  /** Seconds between two reports, if known. */
  interval: number | null;
};

/** The four charts, with a shared crosshair. */
export default function MetricCharts({ points, range, interval }: Props) {
  // A report may be late by seconds, so only two missing reports in a row are a gap.
  const rows = useMemo(() => withGaps(points, (interval ?? 0) * 2500), [points, interval]);
  return (
    <div className="charts">
      {charts.map((chart) => (
        <MetricChart key={chart} chart={chart} rows={rows} range={range} />
      ))}
    </div>
  );
}
