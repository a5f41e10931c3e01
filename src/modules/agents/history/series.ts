import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { component, integer } from "../../../server/answers";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { MetricRange } from "../model";
import { percentField, rateField, tenth } from "../present";
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

/** Length, step and source of each range, with at most 400 points. */
const RANGES: Record<MetricRange, { span: number; step: number; from: "samples" | "tens" | "days" }> = {
  "1h": { span: HOUR, step: 10 * SECOND, from: "samples" },
  "24h": { span: DAY, step: 5 * MINUTE, from: "samples" },
  "7d": { span: 7 * DAY, step: 30 * MINUTE, from: "tens" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "tens" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
};

const average = (total: number, count: number): number | null => (count === 0 ? null : tenth(total / count));

const pointOf = (t: number, sums: Sums): MetricPoint => ({
  t,
  cpu: average(sums.cpuTotal, sums.cpuCount),
  cpu_max: tenth(sums.cpuMax),
  memory: average(sums.memoryTotal, sums.memoryCount),
  disk: average(sums.diskTotal, sums.diskCount),
  rx: average(sums.rxTotal, sums.networkCount),
  tx: average(sums.txTotal, sums.networkCount),
});

/** One point for each step with samples, from what is stored of it in the order of time. */
const pointsOf = <T extends { at: number }>(found: readonly T[], step: number, sum: (part: T[]) => Sums) =>
  [...Map.groupBy(found, ({ at }) => Math.floor(at / step) * step)].map(([t, part]) => pointOf(t, sum(part)));

const addUp = (spans: readonly Span[]): Sums => addSums(spans.map(({ sums }) => sums));

/** The points of a chart, oldest first. Steps without a sample have no point. */
export const metricsOf = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  agentId: number,
  range: MetricRange,
): Promise<MetricPoint[]> => {
  const { span, step, from } = RANGES[range];
  const now = deps.clock.now();
  const part = { agentId, since: (Math.floor((now - span) / step) + 1) * step, until: now };
  if (from === "samples") return pointsOf(await readSamples(deps, part), step, sumOf);
  if (from === "tens") return pointsOf(await readTens(deps, part), step, addUp);
  const open = Math.max(part.since, (await firstUnsummedDay(deps)) * DAY);
  const days = open > part.since ? await readDays(deps, { ...part, until: open }) : [];
  return pointsOf([...days, ...(await readHours(deps, { ...part, since: open }))], step, addUp);
};
