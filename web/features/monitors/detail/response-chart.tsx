import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { isExpiryKind } from "../../../../src/shared/certificate";
import type { OutageKind } from "../../../../src/shared/notifications";
import { fade, plotAxes, token } from "../../../lib/chart-theme";
import { stepOf, withGaps } from "../../../lib/series";
import { type Band, outsideOf, useChartGaps } from "../../../ui/charts/chart-gaps";
import { type OnSelect, selectSpan } from "../../../ui/charts/drag";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Point, Summary } from "../api";
import { ceilingOf, drawPeaks, peaksAbove } from "./chart-ceiling";

/** Null is a gap. */
type Value = number | null;
/** uPlot's columns: times in seconds, then the values of each time; and the point of each column, null in a gap. */
type Columns = { data: [times: number[], median: Value[], p95: Value[]]; points: (Point | null)[] };

/** The points as columns. A gap longer than `maxGap`, in ms, breaks the line. */
export const toColumns = (points: readonly Point[], maxGap = 0): Columns => {
  const columns: Columns = { data: [[], [], []], points: [] };
  const [times, median, p95] = columns.data;
  for (const { t, point } of withGaps(points, maxGap)) {
    times.push(t / 1000);
    median.push(point?.p50 ?? null);
    p95.push(point?.p95 ?? null);
    columns.points.push(point);
  }
  return columns;
};

/** A period in seconds, and the share of its checks that failed, above 0 and at most 1. `slow`: none failed. */
type Period = { from: number; to: number; share: number; slow?: true };

/** Periods with failed checks. Neighbouring points with the same share are one period. */
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

/** Outages in the details of a monitor: there may be more if there are as many. */
const LISTED_OUTAGES = 20;

type Outage = { kind: OutageKind; started_at: string; ended_at: string | null };

/**
 * Periods while a monitor was down or slow, an open one up to `now`, or undefined if outages that reach into the window are
 * missing. Times are in seconds.
 */
export const outagePeriods = (
  outages: readonly Outage[],
  [from, to]: readonly [number, number],
  now = to,
): Period[] | undefined => {
  const periods = outages.map(({ kind, started_at, ended_at }) => ({
    kind,
    from: Date.parse(started_at) / 1000,
    to: ended_at === null ? Math.min(now, to) : Date.parse(ended_at) / 1000,
    share: 1,
  }));
  const oldest = periods.at(-1);
  if (periods.length >= LISTED_OUTAGES && oldest && oldest.from > from) return undefined;
  return periods.flatMap(({ kind, ...period }) => {
    if (period.to < from || isExpiryKind(kind)) return [];
    return [kind === "slow" ? { ...period, slow: true as const } : period];
  });
};

type View = { width: number; window: [number, number]; periods: readonly Period[]; points: readonly Point[] };
type Hooks = Pick<ReturnType<typeof useChartGaps>, "draw" | "onCursor"> & {
  onPoint: (index: number | null | undefined) => void;
  onSelect: OnSelect | undefined;
};

/** `figure`: a value beside its mark. */
type Labels = { locale: string; number: (value: number) => string; figure: (value: number) => string };

/** Shades each period up to the share of its failed checks: one failure of five fills a fifth of the height. */
const shade =
  (periods: readonly Period[]) =>
  ({ ctx, bbox, valToPos }: uPlot) => {
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, share, slow } of periods) {
      const colour = token(slow ? "--pending" : "--down");
      const left = valToPos(from, "x", true);
      const width = Math.max(2, valToPos(to, "x", true) - left);
      ctx.fillStyle = fade(colour, 16);
      ctx.fillRect(left, bbox.top + bbox.height * (1 - share), width, bbox.height * share);
      ctx.fillStyle = colour;
      ctx.fillRect(left, bbox.top + bbox.height - 3 * devicePixelRatio, width, 3 * devicePixelRatio);
    }
    ctx.restore();
  };

const chartOptions = (
  { width, window, periods, points }: View,
  { locale, number, figure }: Labels,
  { draw, onCursor, onPoint, onSelect }: Hooks,
): uPlot.Options => {
  const brand = token("--brand-text");
  const ceiling = ceilingOf(points);
  const isEmpty = points.every(({ p50 }) => p50 === null);
  return {
    width,
    height: 240,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: onSelect !== undefined, y: false, setScale: false },
      points: { size: 7, fill: brand },
    },
    scales: { x: { range: window }, y: { range: [0, Math.max(10, ceiling * 1.1)] } },
    axes: plotAxes({ locale, labelWidth: 68, label: (value) => `${number(value)} ms` }).map((axis, index) =>
      index === 1 && isEmpty ? { ...axis, show: false } : axis,
    ),
    series: [
      {},
      { stroke: brand, width: 1.75, points: { size: 4, fill: brand } },
      { stroke: fade(brand, 55), width: 1, points: { show: false } },
    ],
    bands: [{ series: [2, 1], fill: fade(brand, 18) }],
    hooks: {
      drawClear: [shade(periods), draw],
      draw: [drawPeaks(peaksAbove(points, ceiling * 1.1), figure)],
      setCursor: [({ cursor }) => onPoint(cursor.idx), onCursor],
      setSelect: [(plot) => selectSpan(plot, onSelect)],
    },
  };
};

type Props = {
  points: readonly Point[];
  /** The figures of the whole range. */
  summary: Summary;
  /** When the hub could know nothing, and the maintenance. */
  gaps: readonly Band[];
  /** The span of the chart in words, and its first and last second. A new array draws the chart again. */
  label: string;
  window: [number, number];
  /** Seconds between two checks. */
  interval: number;
  /** The latest outages, newest first. */
  outages: readonly Outage[];
  onSelect?: OnSelect;
};

export default function ResponseChart({
  points,
  summary,
  gaps,
  label: range,
  window,
  interval,
  outages,
  onSelect,
}: Props) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [index, setIndex] = useState<number | null>();
  const columns = useMemo(() => toColumns(points, interval * 1500), [points, interval]);
  const { here: gap, gaps: shown, now, total, maintenance, sentences, draw, onCursor } = useChartGaps(gaps, window);
  const options = useCallback(
    (width: number) => {
      const labels = {
        locale: i18n.language,
        number: (value: number) => format.number(value, 1),
        figure: format.milliseconds,
      };
      // Of a monitor that fails now and then only the share of failures is known.
      const periods = outsideOf(outagePeriods(outages, window, now) ?? downPeriods(points), shown);
      return chartOptions({ width, window, periods, points }, labels, { draw, onCursor, onPoint: setIndex, onSelect });
    },
    [points, window, outages, shown, now, draw, onCursor, onSelect, i18n.language, format],
  );
  const here = typeof index === "number" ? columns.points[index] : undefined;

  const label = t("monitors.chart.summary", {
    range,
    median: format.milliseconds(summary.p50),
    p95: format.milliseconds(summary.p95),
    p99: format.milliseconds(summary.p99),
    min: format.milliseconds(summary.min),
    max: format.milliseconds(summary.max),
    down: format.number(summary.down),
  });

  const [from, to] = window;
  const time = here ? format.dateTime(here.t) : gap ? "" : format.shortRange(from * 1000, to * 1000);
  return (
    <>
      <Legend
        figures={here ?? (gap ? NOTHING : summary)}
        time={[time, gap].filter(Boolean).join(" · ")}
        isEmpty={summary.p50 === null}
        hasBand={points.some(({ p50, p95 }) => p50 !== p95)}
        unknown={here || gap ? undefined : total}
        maintenance={here || gap ? undefined : maintenance}
      />
      <Plot data={columns.data} options={options} label={[label, ...sentences].join("; ")} />
    </>
  );
}

const NOTHING: Summary = { up: 0, down: 0, p50: null, p95: null, p99: null, avg: null, min: null, max: null };

type LegendProps = {
  figures: Summary;
  time: string;
  unknown: string | undefined;
  maintenance: string | undefined;
  /** Whether the chart has no response time at all. */
  isEmpty: boolean;
  /** Whether the 95th percentile is drawn, because some points are about several checks. */
  hasBand: boolean;
};

/** The figures at the crosshair, or of the whole range with how long nothing was known. */
function Legend({ figures, time, unknown, maintenance, isEmpty, hasBand }: LegendProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { up, down, p50, p95, p99, avg, min, max } = figures;
  const rarer = [
    `${t("monitors.chart.p99")} ${format.milliseconds(p99)}`,
    `${t("monitors.chart.average")} ${format.milliseconds(avg)}`,
  ].join(" · ");
  return (
    <p className="chart-legend" aria-hidden="true">
      <span className="chart-time">
        {time}
        {unknown && <span className="key unknown">{unknown}</span>}
        {maintenance && <span className="key maintenance">{maintenance}</span>}
      </span>
      {isEmpty ? (
        <span>{t("monitors.chart.noResponse")}</span>
      ) : (
        <>
          <span className="key line" title={rarer}>
            {t("monitors.chart.median")} <b>{format.milliseconds(p50)}</b>
          </span>
          <span className={hasBand ? "key band" : undefined} title={rarer}>
            {t("monitors.chart.p95")} <b>{format.milliseconds(p95)}</b>
          </span>
          <span title={rarer}>
            {t("monitors.chart.extremes")}{" "}
            <b>{min === null ? "–" : `${format.milliseconds(min)} – ${format.milliseconds(max)}`}</b>
          </span>
        </>
      )}
      <span className={down > 0 ? "key outage" : undefined}>
        {t("monitors.chart.upDown", { up: format.number(up), down: format.number(down) })}
      </span>
    </p>
  );
}
