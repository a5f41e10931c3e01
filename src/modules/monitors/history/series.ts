import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { quantile } from "../../../lib/histogram";
import { bucketsSince } from "../../../lib/time";
import { component, integer, nullable, number } from "../../../server/answers";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import type { Range } from "../model";
import { readChecks } from "./checks";
import { addSums, readBuckets, type Sums, sumOf } from "./sums";

const figures = {
  up: integer("Checks that were up.", 5),
  down: integer("Checks that were down.", 0),
  avg: nullable(number("Average response time in milliseconds; null without a response.", 84.2)),
  min: nullable(number("Shortest response time.", 71.5)),
  max: nullable(number("Longest response time.", 120.9)),
  p50: nullable(number("Median of the response times, within 5 %.", 82.6)),
  p95: nullable(number("95 % of the response times are at most this long, within 5 %.", 110.3)),
  p99: nullable(number("99 % of the response times are at most this long, within 5 %.", 119.2)),
};

/** One point of a chart. */
export const SeriesPoint = component("SeriesPoint", {
  t: integer("The start of its span, in epoch milliseconds.", 1_768_479_600_000),
  ...figures,
});
export type Point = Static<typeof SeriesPoint>;

/** The figures of all checks of a range. */
export const SeriesSummary = component("SeriesSummary", figures);
export type Series = { points: Point[]; summary: Static<typeof SeriesSummary> };

/** The length of each range, the length of its points (at most 400), and the source of their sums. */
const RANGES: Record<Range, { span: number; step: number; from: "checks" | "hours" | "days" }> = {
  "24h": { span: DAY, step: 5 * MINUTE, from: "checks" },
  "7d": { span: 7 * DAY, step: HOUR, from: "hours" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "hours" },
  "90d": { span: 90 * DAY, step: 6 * HOUR, from: "hours" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
};

/** The chart of 24 hours has a point for each minute while all of its checks are younger than this. */
const FINE_SPAN = 6 * HOUR;

const tenth = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);

/** The quantiles of a span. The histogram's error can't lead out of the range of the exact values. */
const quantilesOf = ({ histogram, minTime, maxTime }: Sums) => {
  const at = (share: number) => {
    const value = quantile(histogram, share);
    return value === null ? null : tenth(Math.min(maxTime ?? value, Math.max(minTime ?? value, value)));
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const figuresOf = (sums: Sums): Series["summary"] => ({
  up: sums.up,
  down: sums.down,
  avg: sums.answered === 0 ? null : tenth(sums.totalTime / sums.answered),
  min: sums.minTime,
  max: sums.maxTime,
  ...quantilesOf(sums),
});

type Store = Pick<Deps, "db" | "clock" | "log">;
type Piece = { at: number; sums: Sums };

/** The points of pieces of time, oldest first, and the figures of all of them. */
const seriesFrom = (pieces: Piece[], since: number, step: number): Series => {
  const within = pieces.filter(({ at }) => at >= since);
  const spans = [...Map.groupBy(within, ({ at }) => at - (at % step))]
    .sort(([a], [b]) => a - b)
    .map(([t, found]) => ({ t, sums: addSums(found.map(({ sums }) => sums)) }));
  return {
    points: spans.map(({ t, sums }) => ({ t, ...figuresOf(sums) })),
    summary: figuresOf(addSums(spans.map(({ sums }) => sums))),
  };
};

/** The first point of a range starts after its beginning, so that it covers its whole step. */
const firstPoint = (now: number, span: number, step: number) => (Math.floor((now - span) / step) + 1) * step;

const seriesOfDay = async (
  store: Store,
  monitorId: number,
  { span, step }: { span: number; step: number },
): Promise<Series> => {
  const now = store.clock.now();
  const checks = await readChecks(store, monitorId, bucketsSince(now - span, now, HOUR));
  const isOld = checks.some(({ checkedAt }) => checkedAt >= now - span && checkedAt < now - FINE_SPAN);
  const length = isOld ? step : MINUTE;
  const since = firstPoint(now, span, length);
  const spans = Map.groupBy(checks, ({ checkedAt }) => checkedAt - (checkedAt % length));
  return seriesFrom(
    [...spans].map(([at, found]) => ({ at, sums: sumOf(found) })),
    since,
    length,
  );
};

/**
 * Reads the points of a chart, oldest first, and the figures of its whole range. Spans without a check have no point. In the range of 24 hours, a monitor
 * that was first checked within the last six hours has a point for each minute.
 */
export const seriesOf = async (store: Store, monitorId: number, range: Range): Promise<Series> => {
  const { span, step, from } = RANGES[range];
  if (from === "checks") return seriesOfDay(store, monitorId, { span, step });
  const now = store.clock.now();
  const since = firstPoint(now, span, step);
  const length = from === "hours" ? HOUR : DAY;
  const buckets = await readBuckets(store, from, monitorId, bucketsSince(since, now, length));
  return seriesFrom(
    buckets.map(({ bucket, sums }) => ({ at: bucket * length, sums })),
    since,
    step,
  );
};
