import { stepOf, withGaps } from "../../../lib/charts/series";
import type { Point } from "../calls";

/** uPlot's columns: seconds, then a value or a hole for each. */
export type Columns = [times: number[], average: Hole[], min: Hole[], max: Hole[], down: number[], up: number[]];
type Hole = number | null;

/** The points as columns; where more time was skipped than is bearable, in ms, a hole breaks the line. */
export const toColumns = (points: readonly Point[], bearable = 0): Columns => {
  const columns: Columns = [[], [], [], [], [], []];
  for (const { t, point } of withGaps(points, bearable)) {
    columns[0].push(t / 1000);
    columns[1].push(point?.avg ?? null);
    columns[2].push(point?.min ?? null);
    columns[3].push(point?.max ?? null);
    columns[4].push(point?.down ?? 0);
    columns[5].push(point?.up ?? 0);
  }
  return columns;
};

/** A stretch of time in seconds, and the share of its checks that failed, above 0 and at most 1. */
export type Stretch = { from: number; to: number; share: number };

/** The stretches of time in which checks failed. Neighbouring points with the same share are one stretch. */
export const downStretches = (points: readonly Point[]): Stretch[] => {
  const half = stepOf(points) / 2000 || 30;
  const stretches: Stretch[] = [];
  for (const { t, up, down } of points) {
    if (down === 0) continue;
    const [from, share] = [t / 1000 - half, down / (up + down)];
    const last = stretches.at(-1);
    if (last && last.share === share && from <= last.to + 1) last.to = t / 1000 + half;
    else stretches.push({ from, to: t / 1000 + half, share });
  }
  return stretches;
};

export const totals = (points: readonly Point[]) => {
  const answered = points.filter(({ avg }) => avg !== null);
  const up = points.reduce((sum, point) => sum + point.up, 0);
  const weighted = answered.reduce((sum, { avg, up, down }) => sum + (avg ?? 0) * Math.max(1, up + down), 0);
  const weight = answered.reduce((sum, { up, down }) => sum + Math.max(1, up + down), 0);
  const known = (values: Hole[]) => values.filter((value) => value !== null);
  return {
    up,
    down: points.reduce((sum, { down }) => sum + down, 0),
    average: weight > 0 ? weighted / weight : null,
    min: answered.length > 0 ? Math.min(...known(answered.map(({ min }) => min))) : null,
    max: answered.length > 0 ? Math.max(...known(answered.map(({ max }) => max))) : null,
  };
};
