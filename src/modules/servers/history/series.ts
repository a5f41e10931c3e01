import type { Static } from "@sinclair/typebox";
import { readGaps, SHOWN_GAPS } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { firstPoint, stepsOf } from "../../../history/series";
import { average, tenth } from "../../../lib/round";
import { component, integer, list, number, object, presentGaps, text } from "../../../server/answers";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { MetricRange } from "../model";
import { percentField, rateField } from "../present";
import { addFurther, type FurtherSums, sumFurther } from "./further";
import { readDays, readHours, readSamples, readTens } from "./read";
import { firstUnsummedDay } from "./retention";
import { addSums, type Span, type Sums, sumOf } from "./sums";

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

/** Length, step and source of each range, with at most 400 points. */
const RANGES: Record<MetricRange, { span: number; step: number; from: "samples" | "tens" | "days" }> = {
  "1h": { span: HOUR, step: 10 * SECOND, from: "samples" },
  "24h": { span: DAY, step: 5 * MINUTE, from: "samples" },
  "7d": { span: 7 * DAY, step: 30 * MINUTE, from: "tens" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "tens" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
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

type Metrics = { points: MetricPoint[]; series: MetricSeries[]; gaps: ReturnType<typeof presentGaps> };

/** The points of a chart and of series, from what is stored of each step in the order of time. */
const metricsFrom = <Part extends { at: number }>(
  parts: readonly Part[],
  step: number,
  { all, wanted }: WantedSeries,
  sum: { figures: (parts: Part[]) => Sums; further: (parts: Part[]) => FurtherSums | undefined },
): Omit<Metrics, "gaps"> => {
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
  deps: Pick<Deps, "db" | "clock" | "log">,
  agentId: number,
  range: MetricRange,
  wanted: WantedSeries,
): Promise<Omit<Metrics, "gaps">> => {
  const { span, step, from } = RANGES[range];
  const now = deps.clock.now();
  const part = { agentId, since: firstPoint(now, span, step), until: now };
  if (from === "samples")
    return metricsFrom(await readSamples(deps, part), step, wanted, {
      figures: sumOf,
      further: (samples) => sumFurther(samples.map((sample) => sample.further)),
    });
  const sums = {
    figures: (spans: Span[]) => addSums(spans.map((span) => span.sums)),
    further: (spans: Span[]) => addFurther(spans.map((span) => span.further)),
  };
  if (from === "tens") return metricsFrom(await readTens(deps, part), step, wanted, sums);
  const open = Math.max(part.since, (await firstUnsummedDay(deps)) * DAY);
  const days = open > part.since ? await readDays(deps, { ...part, until: open }) : [];
  return metricsFrom([...days, ...(await readHours(deps, { ...part, since: open }))], step, wanted, sums);
};

/**
 * The points of a chart and of the requested series, oldest first, with the gaps of the hub. Steps without a sample have no
 * point, and the range of a year has no series.
 */
export const metricsOf = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  agentId: number,
  range: MetricRange,
  wanted: WantedSeries = { all: [], wanted: [] },
): Promise<Metrics> => {
  const now = deps.clock.now();
  const gaps = await readGaps(deps, { from: now - RANGES[range].span, to: now }, SHOWN_GAPS);
  return { ...(await readMetrics(deps, agentId, range, wanted)), gaps: presentGaps(gaps) };
};
