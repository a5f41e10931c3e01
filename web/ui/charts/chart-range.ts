/** The span of a chart: a range up to now, or from one time to another, which stands in the address. */
import { DAY, MAX_RANGE_DAYS } from "../../../src/shared/limits";
import { timeWindow } from "../../lib/series";

/** The length of each range in days. */
export const rangeDays = { "1h": 1 / 24, "24h": 1, "7d": 7, "30d": 30, "90d": 90, "1y": 365 };
export type ChartRange = keyof typeof rangeDays;

/** From one time to another, in milliseconds. */
export type Span = { from: number; to: number };
export type Covered<Range extends ChartRange> = Range | Span;

export const isSpan = (covered: ChartRange | Span): covered is Span => typeof covered !== "string";

/** The span in an address, also if the hub would refuse it. */
export const spanIn = (search: URLSearchParams): Span | undefined => {
  const [from, to] = [search.get("from"), search.get("to")].map((text) => Date.parse(text ?? "")) as [number, number];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to };
};

const isoOf = (time: number): string => new Date(time).toISOString();

/** The query of a call for the data of a chart. */
export const chartQuery = <Range extends ChartRange>(covered: Covered<Range>) =>
  isSpan(covered) ? { from: isoOf(covered.from), to: isoOf(covered.to) } : { range: covered };

/** An address with another span, or without one. */
export const withSpan = (search: URLSearchParams, span: Span | undefined): URLSearchParams => {
  const changed = new URLSearchParams(search);
  for (const name of ["from", "to"] as const) {
    if (span) changed.set(name, isoOf(span[name]));
    else changed.delete(name);
  }
  return changed;
};

/** Why the hub refuses a span. A day may have 25 hours. */
export const problemOf = ({ from, to }: Span): "backwards" | "tooLong" | undefined => {
  if (from >= to) return "backwards";
  return to - from > (MAX_RANGE_DAYS + 1) * DAY ? "tooLong" : undefined;
};

/** The time that charts cover: the span in the address of their page if it can be loaded, otherwise a range. */
export const coveredBy = <Range extends ChartRange>(search: URLSearchParams, range: Range): Covered<Range> => {
  const span = spanIn(search);
  return span && !problemOf(span) ? span : range;
};

/** The first and the last second of a chart with these points. */
export const windowOf = (
  covered: ChartRange | Span,
  points: readonly { t: number }[],
  now: number,
): [from: number, to: number] =>
  isSpan(covered) ? [covered.from / 1000, covered.to / 1000] : timeWindow(points, rangeDays[covered], now);
