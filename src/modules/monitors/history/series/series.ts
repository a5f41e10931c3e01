import type { Static } from "@sinclair/typebox";
import { SHOWN_GAPS } from "../../../../cluster/gaps";
import type { Deps } from "../../../../core/deps";
import { quantile } from "../../../../history/histogram";
import { readBuckets } from "../../../../history/read";
import { firstPoint, shortestStep, stepsOf } from "../../../../history/series";
import type { Interval } from "../../../../lib/intervals";
import { average, tenth } from "../../../../lib/round";
import { bucketsSince } from "../../../../lib/time";
import { component, integer, nullable, number, presentGaps } from "../../../../server/answers";
import type { ChartSpan } from "../../../../server/schema";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { presentMaintenanceTimes, readMaintenanceTimes } from "../../../alerting/maintenance/running";
import { readUnknownTimes } from "../../heartbeats/lost-pings";
import { readChecks } from "../checks";
import { checkShape } from "../shape";
import { addSums, daySums, hourSums, type Sums, sumOf } from "../sums";
import type { Range } from "./model";

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
const RANGES: Record<Range, { span: number; step: number; from: "checks" | typeof hourSums }> = {
  "24h": { span: DAY, step: 5 * MINUTE, from: "checks" },
  "7d": { span: 7 * DAY, step: HOUR, from: hourSums },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: hourSums },
  "90d": { span: 90 * DAY, step: 6 * HOUR, from: hourSums },
  "1y": { span: 365 * DAY, step: DAY, from: daySums },
};

/** The chart of 24 hours has a point for each minute while all of its checks are younger than this. */
const FINE_SPAN = 6 * HOUR;

/** The quantiles of a span. The histogram's error can't lead out of the range of the exact values. */
export const quantilesOf = ({ histogram, minTime, maxTime }: Pick<Sums, "histogram" | "minTime" | "maxTime">) => {
  const at = (share: number) => {
    const value = quantile(histogram, share);
    return value === null ? null : tenth(Math.min(maxTime ?? value, Math.max(minTime ?? value, value)));
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const figuresOf = (sums: Sums): Series["summary"] => ({
  up: sums.up,
  down: sums.down,
  avg: average(sums.totalTime, sums.answered),
  min: sums.minTime,
  max: sums.maxTime,
  ...quantilesOf(sums),
});

type Store = Pick<Deps, "db" | "clock" | "log" | "config">;

/** The points of the steps of a chart, and the figures of all of them. */
const seriesFrom = <Part>(steps: readonly [start: number, parts: Part[]][], sum: (parts: Part[]) => Sums): Series => {
  const spans = steps.map(([t, parts]) => ({ t, sums: sum(parts) }));
  return {
    points: spans.map(({ t, sums }) => ({ t, ...figuresOf(sums) })),
    summary: figuresOf(addSums(spans.map(({ sums }) => sums))),
  };
};

type Span = Interval & { step: number; source: "checks" | typeof hourSums };

/** The span of a chart up to now. It begins after a whole step. */
const rangeSpan = (range: Range, now: number): Span => {
  const { span, step, from: source } = RANGES[range];
  return { from: firstPoint(now, span, step), to: now + 1, step, source };
};

/** The steps of spans of any length. */
const STEPS = [MINUTE, 5 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, DAY];
/** A span in steps that are as short as its number of points and the stored history allow. Sums are kept for longer than checks. */
const spanOf = ({ from, to }: Interval, { clock, config }: Store): Span => {
  const keptSince = clock.now() - config.retention.checkDays * DAY;
  const steps = STEPS.filter((step) => step >= HOUR || from >= keptSince);
  const step = shortestStep({ from, to }, steps);
  const source = step < HOUR ? "checks" : step < DAY ? hourSums : daySums;
  return { from: Math.floor(from / step) * step, to, step, source };
};

const readSpan = async (store: Store, monitorId: number, { from, to, step, source }: Span): Promise<Series> => {
  if (source === "checks") {
    const checks = await readChecks(store, monitorId, bucketsSince(from, to - 1, HOUR));
    const within = checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt < to);
    return seriesFrom(stepsOf(within, step, checkShape.timeOf), sumOf);
  }
  const buckets = bucketsSince(from, to - 1, source.length);
  const spans = await readBuckets(store, checkShape, source, { id: monitorId, buckets });
  const points = spans.map(({ bucket, sums }) => ({ at: bucket * source.length, sums })).filter(({ at }) => at >= from);
  return seriesFrom(
    stepsOf(points, step, ({ at }) => at),
    (parts) => addSums(parts.map(({ sums }) => sums)),
  );
};

/** The last day in minutes while all of its checks are younger than FINE_SPAN, otherwise in the steps of its range. */
const readDay = async (store: Store, monitorId: number): Promise<Series> => {
  const now = store.clock.now();
  const { span, step } = RANGES["24h"];
  const checks = await readChecks(store, monitorId, bucketsSince(now - span, now, HOUR));
  const isOld = checks.some(({ checkedAt }) => checkedAt >= now - span && checkedAt < now - FINE_SPAN);
  const length = isOld ? step : MINUTE;
  const since = firstPoint(now, span, length);
  const recent = checks.filter(({ checkedAt }) => checkedAt >= since);
  return seriesFrom(stepsOf(recent, length, checkShape.timeOf), sumOf);
};

/**
 * Reads the points of a chart, oldest first, the figures of its whole range, and when nothing could be
 * known. Spans without a check have no point. In the range of 24 hours, a monitor that was first checked within the last six hours has a point for each minute.
 */
export const seriesOf = async (store: Store, monitorId: number, wanted: ChartSpan<Range>) => {
  const now = store.clock.now();
  const span = "range" in wanted ? { from: now - RANGES[wanted.range].span, to: now } : wanted;
  const gaps = await readUnknownTimes(store, monitorId, span, SHOWN_GAPS);
  const isDay = "range" in wanted && wanted.range === "24h";
  const series = isDay
    ? await readDay(store, monitorId)
    : await readSpan(store, monitorId, "range" in wanted ? rangeSpan(wanted.range, now) : spanOf(wanted, store));
  const times = await readMaintenanceTimes(store, { type: "monitor", ids: [monitorId] }, span);
  return { ...series, gaps: presentGaps(gaps), maintenance: presentMaintenanceTimes(times.get(monitorId)) };
};
