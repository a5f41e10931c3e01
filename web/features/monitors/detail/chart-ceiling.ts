import type uPlot from "uplot";
import { token } from "../../../lib/chart-theme";
import type { Point } from "../api";

type Timed = Pick<Point, "t" | "p50" | "p95">;
/** A value above the chart, at a time in ms. */
type Peak = { t: number; value: number };

/** A chart with fewer points shows all of them. */
const LEAST = 20;
/** The share of points that are always in the chart. */
const SHOWN = 0.98;
/** How many times as high as those the highest point may be while it is in the chart. */
const NEAR = 3;
/** The height of a chart that leaves points out, as a multiple of the points that are always in it. */
const ROOM = 1.5;

const heightOf = ({ p50, p95 }: Timed): number | null => p95 ?? p50;

/** The value up to which a chart reaches: its highest, unless few points are so far above the others that these would be flat. */
export const ceilingOf = (points: readonly Timed[]): number => {
  const values = points.flatMap((point) => heightOf(point) ?? []).toSorted((one, other) => one - other);
  const highest = values.at(-1) ?? 0;
  const common = values[Math.floor((values.length - 1) * SHOWN)] ?? highest;
  return values.length >= LEAST && highest > common * NEAR ? common * ROOM : highest;
};

/** The points above `ceiling`, neighbours as one with the highest value. */
export const peaksAbove = (points: readonly Timed[], ceiling: number): Peak[] => {
  const peaks: Peak[] = [];
  let isNext = false;
  for (const point of points) {
    const value = heightOf(point) ?? 0;
    const isAbove = value > ceiling;
    const last = isNext ? peaks.pop() : undefined;
    if (isAbove) peaks.push(last && last.value >= value ? last : { t: point.t, value });
    else if (last) peaks.push(last);
    isNext = isAbove;
  }
  return peaks;
};

/** The size of a mark, and its distance from its text, in CSS pixels. */
const [MARK, GAP] = [8, 4];

/** Marks each peak at the upper edge of the chart with its value, as far as there is room for that. */
export const drawPeaks =
  (peaks: readonly Peak[], label: (value: number) => string) =>
  ({ ctx, bbox, valToPos }: uPlot): void => {
    const [mark, gap] = [MARK * devicePixelRatio, GAP * devicePixelRatio];
    let free = bbox.left;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    for (const { t, value } of peaks) {
      const x = valToPos(t / 1000, "x", true);
      ctx.fillStyle = token("--brand-text");
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x + mark / 2, bbox.top + mark);
      ctx.lineTo(x - mark / 2, bbox.top + mark);
      ctx.fill();
      const text = label(value);
      const { width } = ctx.measureText(text);
      const right = x + mark / 2 + gap;
      const left = right + width <= bbox.left + bbox.width ? right : x - mark / 2 - gap - width;
      if (left < free) continue;
      ctx.fillStyle = token("--ink-soft");
      ctx.fillText(text, left, bbox.top);
      free = left + width + 2 * gap;
    }
    ctx.restore();
  };
