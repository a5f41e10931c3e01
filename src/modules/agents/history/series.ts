import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { sampleDays, sampleHours, samples, sampleTens } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { component, integer } from "../../../server/answers";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { MetricRange } from "../model";
import { percentField, rateField } from "../present";
import { firstUnsummedDay } from "./retention";

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

const average = (total: SQL | { getSQL(): SQL }, count: SQL | { getSQL(): SQL }) =>
  sql`sum(${total}) / nullif(sum(${count}), 0)`;

const sums = (table: typeof sampleTens | typeof sampleHours | typeof sampleDays, length: number) => ({
  table,
  bucket: table.bucket,
  length,
  at: sql`cast(${table.bucket} as bigint) * ${sql.raw(String(length))}`,
  cpu: average(table.cpuTotal, table.cpuCount),
  cpuMax: sql`max(${table.cpuMax})`,
  memory: average(table.memoryTotal, table.memoryCount),
  disk: average(table.diskTotal, table.diskCount),
  rx: average(table.rxTotal, table.networkCount),
  tx: average(table.txTotal, table.networkCount),
});

const SOURCES = {
  samples: {
    table: samples,
    bucket: samples.hour,
    length: HOUR,
    at: sql`${samples.at}`,
    cpu: sql`avg(${samples.cpu})`,
    cpuMax: sql`max(${samples.cpu})`,
    memory: sql`avg(${samples.memory})`,
    disk: sql`avg(${samples.disk})`,
    rx: sql`avg(${samples.rx})`,
    tx: sql`avg(${samples.tx})`,
  },
  tens: sums(sampleTens, 10 * MINUTE),
  hours: sums(sampleHours, HOUR),
  days: sums(sampleDays, DAY),
};

/** Length, step and source table of each range, with at most 400 points. */
const RANGES: Record<MetricRange, { span: number; step: number; from: keyof typeof SOURCES }> = {
  "1h": { span: HOUR, step: 10 * SECOND, from: "samples" },
  "24h": { span: DAY, step: 5 * MINUTE, from: "samples" },
  "7d": { span: 7 * DAY, step: 30 * MINUTE, from: "tens" },
  "30d": { span: 30 * DAY, step: 2 * HOUR, from: "tens" },
  "1y": { span: 365 * DAY, step: DAY, from: "days" },
};

const tenth = (value: SQL) =>
  value.mapWith((figure: unknown) => (figure === null ? null : Math.round(Number(figure) * 10) / 10)) as SQL<
    number | null
  >;

/** The points of a span aligned to steps, from one table. */
const pointsFrom = (
  { db }: Pick<Deps, "db">,
  from: keyof typeof SOURCES,
  { agentId, step, since, until }: { agentId: number; step: number; since: number; until: number },
): Promise<MetricPoint[]> => {
  const source = SOURCES[from];
  return db
    .select({
      t: sql<number>`${source.at} - ${source.at} % ${sql.raw(String(step))}`.mapWith(Number),
      cpu: tenth(source.cpu),
      cpu_max: tenth(source.cpuMax),
      memory: tenth(source.memory),
      disk: tenth(source.disk),
      rx: tenth(source.rx),
      tx: tenth(source.tx),
    })
    .from(source.table)
    .where(
      and(
        isOneOf(source.bucket, bucketsSince(since, until, source.length)),
        eq(source.table.agentId, agentId),
        gte(source.at, since),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`))
    .execute();
};

/** The points of a chart, oldest first. Steps without a sample have no point. */
export const metricsOf = async (
  deps: Pick<Deps, "db" | "clock">,
  agentId: number,
  range: MetricRange,
): Promise<MetricPoint[]> => {
  const { span, step, from } = RANGES[range];
  const now = deps.clock.now();
  const since = (Math.floor((now - span) / step) + 1) * step;
  const part = { agentId, step, since, until: now };
  if (from !== "days") return pointsFrom(deps, from, part);
  const open = Math.max(since, (await firstUnsummedDay(deps)) * DAY);
  return [
    ...(open > since ? await pointsFrom(deps, "days", { ...part, until: open - 1 }) : []),
    ...(await pointsFrom(deps, "hours", { ...part, since: open })),
  ];
};
