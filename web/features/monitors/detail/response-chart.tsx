import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, plotAxes, token } from "../../../lib/chart-theme";
import { stepOf, timeWindow, withGaps } from "../../../lib/series";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Point, type Range, rangeDays } from "../api";

/** Null is a gap. */
type Value = number | null;
/** uPlot's columns: times in seconds, then the values of each time. */
type Columns = [times: number[], average: Value[], min: Value[], max: Value[], down: number[], up: number[]];

/** The points as columns. A gap longer than `maxGap`, in ms, breaks the line. */
export const toColumns = (points: readonly Point[], maxGap = 0): Columns => {
  const columns: Columns = [[], [], [], [], [], []];
  for (const { t, point } of withGaps(points, maxGap)) {
    columns[0].push(t / 1000);
    columns[1].push(point?.avg ?? null);
    columns[2].push(point?.min ?? null);
    columns[3].push(point?.max ?? null);
    columns[4].push(point?.down ?? 0);
    columns[5].push(point?.up ?? 0);
  }
  return columns;
};

/** A period in seconds, and the share of its checks that failed, above 0 and at most 1. */
type Period = { from: number; to: number; share: number };

/** The periods in which checks failed. Neighbouring points with the same share are one period. */
export const downPeriods = (points: readonly Point[]): Period[] => {
  const half = stepOf(points) / 2000 || 30;
  const periods: Period[] = [];
  for (const { t, up, down } of points) {
    if (down === 0) continue;
    const [from, share] = [t / 1000 - half, down / (up + down)];
    const last = periods.at(-1);
    if (last && last.share === share && from <= last.to + 1) last.to = t / 1000 + half;
    else periods.push({ from, to: t / 1000 + half, share });
  }
  return periods;
};

/** The counts and response times of a whole range. Each average is weighted by the checks of its point. */
export const totals = (points: readonly Point[]) => {
  const answered = points.filter(({ avg }) => avg !== null);
  const up = points.reduce((sum, point) => sum + point.up, 0);
  const weighted = answered.reduce((sum, { avg, up, down }) => sum + (avg ?? 0) * Math.max(1, up + down), 0);
  const weight = answered.reduce((sum, { up, down }) => sum + Math.max(1, up + down), 0);
  const known = (values: Value[]) => values.filter((value) => value !== null);
  return {
    up,
    down: points.reduce((sum, { down }) => sum + down, 0),
    average: weight > 0 ? weighted / weight : null,
    min: answered.length > 0 ? Math.min(...known(answered.map(({ min }) => min))) : null,
    max: answered.length > 0 ? Math.max(...known(answered.map(({ max }) => max))) : null,
  };
};

type View = { width: number; window: [number, number]; periods: readonly Period[] };
type Labels = { locale: string; number: (value: number) => string };

/** Shades each period up to the share of its failed checks: one failure of five fills a fifth of the height. */
const shade =
  (periods: readonly Period[]) =>
  ({ ctx, bbox, valToPos }: uPlot) => {
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, share } of periods) {
      const left = valToPos(from, "x", true);
      const width = Math.max(2, valToPos(to, "x", true) - left);
      ctx.fillStyle = fade(token("--down"), 16);
      ctx.fillRect(left, bbox.top + bbox.height * (1 - share), width, bbox.height * share);
      ctx.fillStyle = token("--down");
      ctx.fillRect(left, bbox.top + bbox.height - 3 * devicePixelRatio, width, 3 * devicePixelRatio);
    }
    ctx.restore();
  };

const chartOptions = (
  { width, window, periods }: View,
  { locale, number }: Labels,
  onPoint: (index: number | null | undefined) => void,
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
    hooks: { drawClear: [shade(periods)], setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
};

type Props = {
  points: readonly Point[];
  range: Range;
  /** Seconds between two checks. */
  interval: number;
};

export default function ResponseChart({ points, range, interval }: Props) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [index, setIndex] = useState<number | null>();
  const columns = useMemo(() => toColumns(points, interval * 1500), [points, interval]);
  const data = useMemo(() => columns.slice(0, 4) as uPlot.AlignedData, [columns]);
  const options = useCallback(
    (width: number) => {
      const window = timeWindow(points, rangeDays[range], Date.now());
      const labels = { locale: i18n.language, number: (value: number) => format.number(value, 1) };
      return chartOptions({ width, window, periods: downPeriods(points) }, labels, setIndex);
    },
    [points, range, i18n.language, format],
  );

  const all = totals(points);
  const summary = t("monitors.chart.summary", {
    range: t(`common.range.${range}`),
    average: format.milliseconds(all.average),
    min: format.milliseconds(all.min),
    max: format.milliseconds(all.max),
    down: format.number(all.down),
  });

  return (
    <>
      <Legend columns={columns} index={index} total={all} />
      <Plot data={data} options={options} label={summary} />
    </>
  );
}

type LegendProps = {
  columns: ReturnType<typeof toColumns>;
  index: number | null | undefined;
  total: ReturnType<typeof totals>;
};

/** The figures at the crosshair, or those of the whole range. */
function Legend({ columns: [times, average, min, max, down, up], index, total }: LegendProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = typeof index === "number" ? times[index] : undefined;
  const here =
    at === undefined || typeof index !== "number"
      ? total
      : {
          average: average[index] ?? null,
          min: min[index] ?? null,
          max: max[index] ?? null,
          down: down[index] ?? 0,
          up: up[index] ?? 0,
        };
  return (
    <p className="chart-legend" aria-hidden="true">
      {at !== undefined && <b>{format.dateTime(at * 1000)}</b>}
      <span className="key line">
        {t("monitors.chart.average")} <b>{format.milliseconds(here.average)}</b>
      </span>
      <span className="key band">
        {t("monitors.chart.band")}{" "}
        <b>
          {format.milliseconds(here.min)} – {format.milliseconds(here.max)}
        </b>
      </span>
      <span className="key outage">{t("monitors.chart.upDown", { up: here.up, down: here.down })}</span>
    </p>
  );
}
