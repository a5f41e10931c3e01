import type { Point } from "../../api";
import type { Line } from "./choices";

/** A time and what was measured then, by the keys of lines; null marks a gap. */
export type Row = { t: number; point: Omit<Point, "t"> | null };

/** The average and the highest of a line's known values; null without any. */
export const totals = (rows: readonly Row[], key: string): { average: number | null; peak: number | null } => {
  const values = rows.map(({ point }) => point?.[key] ?? null).filter((value) => value !== null);
  if (values.length === 0) return { average: null, peak: null };
  return { average: values.reduce((sum, value) => sum + value, 0) / values.length, peak: Math.max(...values) };
};

/** The highest known value of several lines; null without any. */
export const peakOf = (rows: readonly Row[], lines: readonly Line[]): number | null => {
  const peaks = lines.map(({ key }) => totals(rows, key).peak).filter((peak) => peak !== null);
  return peaks.length > 0 ? Math.max(...peaks) : null;
};
