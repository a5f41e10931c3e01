import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../../lib/chart-theme";
import { type Band, useChartGaps } from "../../../../ui/charts/chart-gaps";
import { type OnSelect, selectSpan } from "../../../../ui/charts/drag";
import { Plot } from "../../../../ui/charts/plot";
import { useFormat } from "../../../../ui/hooks/use-format";
import type { Choice, Line, Unit } from "./choices";
import { type Row, totals } from "./rows";
import { useAxisUnit, useUnit } from "./use-unit";

/** uPlot's columns: times in seconds, then one column for each line, with null for a gap. */
export const toColumns = (rows: readonly Row[], keys: readonly string[]): (number | null)[][] => [
  rows.map(({ t }) => t / 1000),
  ...keys.map((key) => rows.map(({ point }) => point?.[key] ?? null)),
];

/** A period without reports; `to` is undefined while it lasts. Both in ms. */
export type Offline = { from: number; to: number | undefined };

type View = { choice: Choice; width: number; height: number; window: [number, number] };
type Marks = { offline: readonly Offline[]; threshold: number | null };
type Hooks = Pick<ReturnType<typeof useChartGaps>, "draw" | "onCursor"> & {
  onPoint: (index: number | null | undefined) => void;
  onSelect: OnSelect;
};
type Labels = { locale: string; label: (value: number) => string };

const dash = [5, 4];

/** Steps of the axis: round in KB/s up to a megabyte, and round in MB/s above it. */
const rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const rateSteps = [
  ...rounds.slice(0, 8),
  512,
  ...[...rounds, ...rounds.map((step) => step * 1000)].map((step) => step * 1024),
];

const seriesOf = ({ lines }: Choice): uPlot.Series[] => {
  const [main, second] = [token("--brand-text"), token("--second")];
  const line = { stroke: main, width: 1.75, points: { size: 4, fill: main } };
  const looks: Record<Line["look"], uPlot.Series> = {
    main: lines.length === 1 ? { ...line, fill: fade(main, 12) } : line,
    peak: { stroke: fade(main, 45), width: 1, points: { show: false } },
    second: { ...line, stroke: second, dash, points: { size: 4, fill: second } },
  };
  return lines.map(({ look }) => looks[look]);
};

/** Shades the periods without reports; only the current one is red. */
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
  ({ ctx, bbox, valToPos, scales }: uPlot) => {
    if (threshold === null || threshold > (scales.y?.max ?? 0)) return;
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

/** A threshold above this many times the highest figure is only named, because the figures would be a flat line below it. */
const FAR = 4;

/** Where the axis of a figure without an upper bound ends: above the highest one, and above a threshold that is near. */
export const topOf = (highest: number, threshold: number | null): number => {
  const isNear = threshold !== null && threshold <= highest * FAR;
  return Math.max(1, highest * 1.1, isNear ? threshold * 1.1 : 0);
};

/** The width of the labels of an axis. */
const labelWidths: Record<Unit, number> = { share: 42, rate: 70, number: 36, celsius: 58, milliseconds: 54 };

/** Charts share the crosshair only, not the part that is dragged over. */
const isMove = (event: string): boolean => event === "mousemove" || event === "mouseleave";

/** uPlot's options. The axis of a share runs from 0 to 100, other axes up to the highest value. */
const metricOptions = (
  { choice, width, height, window }: View,
  { offline, threshold }: Marks,
  { locale, label }: Labels,
  { draw, onCursor, onPoint, onSelect }: Hooks,
): uPlot.Options => {
  const { unit } = choice;
  const top = (highest: number | null) => (unit === "share" ? 100 : topOf(highest ?? 0, threshold));
  return {
    ...{ width, height },
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 7 },
      sync: { key: "agent", filters: { sub: isMove } },
    },
    scales: { x: { range: window }, y: { range: (_plot, _min, max) => [0, top(max)] } },
    axes: plotAxes({
      locale,
      label,
      labelWidth: labelWidths[unit],
      ...(unit === "rate" && { steps: rateSteps }),
    }),
    series: [{}, ...seriesOf(choice)],
    bands: choice.lines[1]?.look === "peak" ? [{ series: [2, 1], fill: fade(token("--brand-text"), 18) }] : [],
    hooks: {
      drawClear: [drawOffline(offline), draw],
      draw: [drawThreshold(threshold)],
      setCursor: [({ cursor }) => onPoint(cursor.idx), onCursor],
      setSelect: [(plot) => selectSpan(plot, onSelect)],
    },
  };
};

/** The heights of a chart in pixels. */
const SMALL = 112;
const LARGE = 300;

type ChartProps = {
  title: string;
  choice: Choice;
  rows: readonly Row[];
  /** The first and the last second. A new array draws the chart again. */
  window: [number, number];
  offline: readonly Offline[];
  /** When the hub could know nothing. */
  gaps: readonly Band[];
  large: boolean;
  onSelect: OnSelect;
};

/** The chart of one resource. All charts share a crosshair. */
export default function MetricChart(props: ChartProps) {
  const { title, choice, rows, window, offline, gaps, large, onSelect } = props;
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const value = useUnit(choice.unit);
  const axis = useAxisUnit(choice.unit);
  const [index, setIndex] = useState<number | null>();
  const { lines, threshold } = choice;
  const data = useMemo(
    () =>
      toColumns(
        rows,
        lines.map(({ key }) => key),
      ) as uPlot.AlignedData,
    [rows, lines],
  );
  const { here: gap, maintenance, sentences, draw, onCursor } = useChartGaps(gaps, window);
  const options = useCallback(
    (width: number) => {
      const view = { choice, width, height: large ? LARGE : SMALL, window };
      return metricOptions(
        view,
        { offline, threshold: choice.threshold },
        { locale: i18n.language, label: axis },
        { draw, onCursor, onPoint: setIndex, onSelect },
      );
    },
    [choice, window, offline, draw, onCursor, onSelect, large, i18n.language, axis],
  );

  const sums = lines.map((line) => ({ ...line, ...totals(rows, line.key) }));
  const alert = threshold === null ? undefined : t("agents.chart.threshold", { share: value(threshold) });
  const summary = [
    ...sums.map(({ label, average, peak }) =>
      t("agents.chart.summary", { metric: label, average: value(average), peak: value(peak) }),
    ),
    ...(alert ? [alert] : []),
    ...sentences,
  ].join("; ");
  const row = typeof index === "number" ? rows[index] : undefined;

  return (
    <>
      <p className="chart-legend" aria-hidden="true">
        {row && <b>{format.moment(row.t)}</b>}
        {gap && <b>{gap}</b>}
        {/* A single line is named by the title. */}
        {(row || lines.length > 1) &&
          lines.map(({ key, label, look }) => (
            <span key={key} className={`key ${look}`}>
              <span className="truncate">{label}</span> {row && <b>{value(row.point?.[key] ?? null)}</b>}
            </span>
          ))}
        {!row && alert && <span className="key alert">{alert}</span>}
        {!row && !gap && maintenance && <span className="key maintenance">{maintenance}</span>}
      </p>
      <Plot data={data} options={options} label={`${title}. ${summary}`} />
    </>
  );
}
