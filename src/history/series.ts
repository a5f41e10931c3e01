import type { Interval } from "../lib/intervals";
import { DAY } from "../shared/limits";

/** The start of the first point of a range: it starts after the beginning of the range, so that it covers its whole step. */
export const firstPoint = (now: number, span: number, step: number): number =>
  (Math.floor((now - span) / step) + 1) * step;

/** Parts of a history by the steps of a chart, each with the start of its step. */
export const stepsOf = <Part>(
  parts: readonly Part[],
  step: number,
  timeOf: (part: Part) => number,
): [start: number, parts: Part[]][] => [...Map.groupBy(parts, (part) => Math.floor(timeOf(part) / step) * step)];

/** The most points of a chart. */
const MAX_POINTS = 400;

/** The shortest of these steps that divides a span into at most 400 points; a day where none is long enough. */
export const shortestStep = ({ from, to }: Interval, steps: readonly number[]): number =>
  steps.find((step) => (to - from) / step <= MAX_POINTS - 1) ?? DAY;
