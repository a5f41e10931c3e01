import type { Point } from "./calls";

/** uPlot's columns: seconds, then a value or a hole for each. */
export type Columns = [times: number[], average: Hole[], min: Hole[], max: Hole[], down: number[], up: number[]];
type Hole = number | null;

const stepOf = (points: readonly Point[]) => {
  const gaps = points.slice(1).map(({ t }, place) => t - (points[place]?.t ?? t));
  return gaps.length > 0 ? Math.min(...gaps.filter((gap) => gap > 0)) : 0;
};

/** Where time was skipped, a hole goes in, so that the line breaks instead of bridging what nobody measured. */
export const toColumns = (points: readonly Point[]): Columns => {
  const columns: Columns = [[], [], [], [], [], []];
  const step = stepOf(points);
  const add = (t: number, values: [Hole, Hole, Hole], down: number, up: number) => {
    columns[0].push(t / 1000);
    values.forEach((value, place) => {
      (columns[place + 1] as Hole[]).push(value);
    });
    columns[4].push(down);
    columns[5].push(up);
  };
  points.forEach(({ t, up, down, avg, min, max }, place) => {
    const before = points[place - 1];
    if (before && t - before.t > step * 1.5) add(before.t + step, [null, null, null], 0, 0);
    add(t, [avg, min, max], down, up);
  });
  return columns;
};

export type Stretch = { from: number; to: number };

/** The stretches of time in which something was down, in seconds. */
export const downStretches = (points: readonly Point[]): Stretch[] => {
  const half = stepOf(points) / 2000 || 30;
  const stretches: Stretch[] = [];
  for (const { t, down } of points) {
    if (down === 0) continue;
    const from = t / 1000 - half;
    const last = stretches.at(-1);
    if (last && from <= last.to + 1) last.to = t / 1000 + half;
    else stretches.push({ from, to: t / 1000 + half });
  }
  return stretches;
};

/** From the start of the range, or of the data where it is younger, to now; never less than an hour. In seconds. */
export const timeWindow = (points: readonly Point[], days: number, now: number): [number, number] => {
  const first = points[0]?.t ?? now;
  return [Math.max(now - days * 86_400_000, Math.min(first, now - 3_600_000)) / 1000, now / 1000];
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
