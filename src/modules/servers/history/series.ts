import type { Static } from "@sinclair/typebox";
import { readGaps, SHOWN_GAPS } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { firstPoint, shortestStep, stepsOf } from "../../../history/series";
import { average, tenth } from "../../../lib/round";
import { component, integer, list, number, object, presentGaps, text } from "../../../server/answers";
import type { ChartSpan } from "../../../server/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { presentMaintenanceTimes, readMaintenanceTimes } from "../../alerting/maintenance/running";
import type { MetricRange } from "../model";
import { percentField, rateField } from "../present";
import { addFurther, type FurtherSums, sumFurther } from "./further";
import { readDays, readHours, readSamples, readTens } from "./read";
import { firstUnsummedDay, TENS_KEPT } from "./retention";
import { addSums, type Span, type Sums, sumOf, TEN_MINUTES } from "./sums";

/** One point of a chart. */
export const MetricPoint = component("MetricPoint", {
  t: integer("The start of its span, in epoch milliseconds.", 1_768_479_600_000),
  cpu: percentField("Average CPU usage", 12.5),
  cpu_max: percentField("Highest CPU usage", 80),
  memory: percentField("Memory in use", 25),
  disk: percentField("Disk space in use", 50),
  rx: rateField("Received", 8),
  tx: rateField("Sent", 2.5),
});
export type MetricPoint = Static<typeof MetricPoint>;

/** A series of further figures. */
export const MetricSeries = component("MetricSeries", {
  name: text("Its name.", "disk:/home"),
  points: list(
    object({
      t: integer("The start of its span, in epoch milliseconds.", 1_768_479_600_000),
      value: number("The average of the figure.", 52.5),
    }),
    "At most 400, oldest first. Spans without the figure have none.",
  ),
});
export type MetricSeries = Static<typeof MetricSeries>;

type Source = "samples" | "tens" | "hours";

/** Length, step and source of each range, with at most 400 points. */
const RANGES: Record<MetricRange, { span: number; step: number; source: Source }> = {
  "1h": { span: HOUR, step: 10 * SECOND, source: "samples" },
  "24h": { span: DAY, step: 5 * MINUTE, source: "samples" },
  "7d": { span: 7 * DAY, step: 30 * MINUTE, source: "tens" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, source: "tens" },
  "1y": { span: 365 * DAY, step: DAY, source: "hours" },
};

/** The steps of spans of any length. */
const STEPS = [
  ...[10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE],
  ...[TEN_MINUTES, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, DAY],
];

type Store = Pick<Deps, "db" | "clock" | "log" | "config">;

/** The span of a chart; `until` is infinite where it ends now. */
type Covered = { since: number; until: number; step: number; source: Source };

const coveredBy = (wanted: ChartSpan<MetricRange>, { clock, config }: Store): Covered => {
  const now = clock.now();
  if ("range" in wanted) {
    const { span, step, source } = RANGES[wanted.range];
    return { since: firstPoint(now, span, step), until: Number.POSITIVE_INFINITY, step, source };
  }
  const { from, to } = wanted;
  const hasSamples = from >= now - config.retention.sampleDays * DAY;
  const hasTens = from >= now - TENS_KEPT;
  const steps = STEPS.filter((step) => step >= HOUR || (step < TEN_MINUTES ? hasSamples : hasTens));
  const step = shortestStep(wanted, steps);
  const source = step < TEN_MINUTES ? "samples" : hasTens && step < DAY ? "tens" : "hours";
  return { since: Math.floor(from / step) * step, until: to, step, source };
};

const pointOf = (t: number, sums: Sums): MetricPoint => ({
  t,
  cpu: average(sums.cpuTotal, sums.cpuCount),
  cpu_max: tenth(sums.cpuMax),
  memory: average(sums.memoryTotal, sums.memoryCount),
  disk: average(sums.diskTotal, sums.diskCount),
  rx: average(sums.rxTotal, sums.networkCount),
  tx: average(sums.txTotal, sums.networkCount),
});

/** The names of all series of an agent, and the names of those that are wanted. */
type WantedSeries = { all: readonly string[]; wanted: readonly string[] };

type Metrics = {
  points: MetricPoint[];
  series: MetricSeries[];
  gaps: ReturnType<typeof presentGaps>;
  maintenance: ReturnType<typeof presentMaintenanceTimes>;
};

/** The points of a chart and of series, from what is stored of each step in the order of time. */
const metricsFrom = <Part extends { at: number }>(
  parts: readonly Part[],
  step: number,
  { all, wanted }: WantedSeries,
  sum: { figures: (parts: Part[]) => Sums; further: (parts: Part[]) => FurtherSums | undefined },
): Omit<Metrics, "gaps" | "maintenance"> => {
  const steps = stepsOf(parts, step, ({ at }) => at);
  const series = wanted.map((name) => ({ name, number: all.indexOf(name), points: [] as MetricSeries["points"] }));
  const byNumber = new Map(series.map(({ number, points }) => [number, points]));
  if (wanted.length > 0)
    for (const [t, parts] of steps)
      for (const [number, count, hundredths] of sum.further(parts) ?? [])
        byNumber.get(number)?.push({ t, value: Math.round(hundredths / count) / 100 });
  return {
    points: steps.map(([t, parts]) => pointOf(t, sum.figures(parts))),
    series: series.map(({ name, points }) => ({ name, points })),
  };
};

const readMetrics = async (
  deps: Store,
  agentId: number,
  { since, until, step, source }: Covered,
  wanted: WantedSeries,
): Promise<Omit<Metrics, "gaps" | "maintenance">> => {
  const part = { agentId, since, until: Math.min(until, deps.clock.now()) };
  const covered = <Part extends { at: number }>(parts: readonly Part[]) => parts.filter(({ at }) => at < until);
  if (source === "samples")
    return metricsFrom(covered(await readSamples(deps, part)), step, wanted, {
      figures: sumOf,
      further: (samples) => sumFurther(samples.map((sample) => sample.further)),
    });
  const sums = {
    figures: (spans: Span[]) => addSums(spans.map((span) => span.sums)),
    further: (spans: Span[]) => addFurther(spans.map((span) => span.further)),
  };
  if (source === "tens") return metricsFrom(covered(await readTens(deps, part)), step, wanted, sums);
  // Sums of whole days cannot be divided into shorter steps.
  const open = step < DAY ? since : Math.max(since, (await firstUnsummedDay(deps)) * DAY);
  const days = open > since ? await readDays(deps, { ...part, until: Math.min(open, part.until) }) : [];
  const hours = await readHours(deps, { ...part, since: open });
  return metricsFrom(covered([...days, ...hours]), step, wanted, sums);
};

/**
 * The points of a chart and of the requested series, oldest first, with the gaps of the hub. Steps without a sample have no
 * point. Series have points where the chart begins within the last 30 days and its steps are shorter than a day.
 */
export const metricsOf = async (
  deps: Store,
  agentId: number,
  chart: ChartSpan<MetricRange>,
  wanted: WantedSeries = { all: [], wanted: [] },
): Promise<Metrics> => {
  const now = deps.clock.now();
  const span = "range" in chart ? { from: now - RANGES[chart.range].span, to: now } : chart;
  const gaps = await readGaps(deps, span, SHOWN_GAPS);
  const times = await readMaintenanceTimes(deps, { type: "agent", ids: [agentId] }, span);
  return {
    ...(await readMetrics(deps, agentId, coveredBy(chart, deps), wanted)),
    gaps: presentGaps(gaps),
    maintenance: presentMaintenanceTimes(times.get(agentId)),
  };
};
