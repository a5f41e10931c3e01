import type { Point } from "../calls";

export const charts = ["cpu", "memory", "disk", "network"] as const;
export type Chart = (typeof charts)[number];
export type Metric = Exclude<keyof Point, "t">;

/** A time, and what was measured then; null where nobody measured. */
export type Row = { t: number; point: Point | null };

/** What each chart draws, the one that matters most first. */
export const metricsOf: Record<Chart, readonly Metric[]> = {
  cpu: ["cpu", "cpu_max"],
  memory: ["memory"],
  disk: ["disk"],
  network: ["rx", "tx"],
};

/** uPlot's columns: seconds, then a value or a hole for each metric. */
export const toColumns = (rows: readonly Row[], metrics: readonly Metric[]): (number | null)[][] => [
  rows.map(({ t }) => t / 1000),
  ...metrics.map((metric) => rows.map(({ point }) => point?.[metric] ?? null)),
];

/** The mean and the highest of what is known of a metric. */
export const totals = (rows: readonly Row[], metric: Metric): { average: number | null; peak: number | null } => {
  const known = rows.map(({ point }) => point?.[metric] ?? null).filter((value) => value !== null);
  if (known.length === 0) return { average: null, peak: null };
  return { average: known.reduce((sum, value) => sum + value, 0) / known.length, peak: Math.max(...known) };
};
