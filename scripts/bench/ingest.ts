import { furtherFigures } from "../../src/modules/servers/history/further-figures";
import { option } from "./lib/client";
import { reportBody } from "./lib/report-body";
import { type Reported, startReporter } from "./lib/reporter";
import { keyOf, seedAgents } from "./lib/seed-agents";
import { measureUsage, remove, round, startServer, summarize, temporaryDirectory, withFile } from "./lib/server";
import { queryOf } from "./lib/stored-checks";
import { auditSamples } from "./lib/stored-samples";

const CLIENTS = 2;
/** A prime, so that multiples of it reach every agent. */
const STRIDE = 39_989;

const merge = (parts: Reported[]) => ({
  sent: parts.reduce((sum, { sent }) => sum + sent, 0),
  accepted: parts.reduce((sum, { accepted }) => sum + accepted, 0),
  refusals: Object.assign({}, ...parts.map(({ refusals }) => refusals)) as Record<string, number>,
  latencies: parts.flatMap(({ latencies }) => latencies),
});

/**
 * 100,000 agents that report each minute, for three minutes: `--agents`, `--interval` and `--seconds` change that. With
 * `--wide` they report everything that an agent can, and with `--first` the hub sees their further figures for the first time.
 */
export const bench = async (args: string[]): Promise<object> => {
  const agents = option(args, "agents", 100_000);
  const interval = option(args, "interval", 60);
  const seconds = option(args, "seconds", 180);
  const wide = args.includes("--wide");
  const dataDir = temporaryDirectory();
  // They have reported before, so that the hub has the names of their figures.
  const [sample] = reportBody("", 0, 0, wide).samples;
  const series = args.includes("--first") || !sample ? [] : furtherFigures(sample).map(([name]) => name);
  await seedAgents(dataDir, { agents, interval, series });
  const server = await startServer(dataDir);
  // Shuffled, because neighbours in the database do not report one after another.
  const keys = Array.from({ length: agents }, (_, index) => keyOf(((index * STRIDE) % agents) + 1));
  const parts = Array.from({ length: CLIENTS }, (_, client) => keys.filter((_, index) => index % CLIENTS === client));
  const report = (part: string[]) => startReporter({ url: server.url, keys: part, interval, seconds, wide });
  const { result, elapsed, cpu, written, memory } = await measureUsage(server.pid, () =>
    Promise.all(parts.map(report)),
  );
  const { sent, accepted, refusals, latencies } = merge(result);
  await server.stop();
  const { samples, losses } = await withFile(dataDir, (db) => auditSamples(queryOf(db)));
  remove(dataDir);
  return {
    agents,
    interval,
    wide,
    seconds: round(elapsed),
    sent,
    accepted,
    ...{ stored: samples.length, ...losses },
    ...(Object.keys(refusals).length > 0 && { refusals }),
    reports_per_second: round(sent / elapsed),
    ...summarize("latency_", latencies),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100),
    cpu_microseconds_per_report: round((cpu / sent) * 1e6, 0),
    memory_mb: round(memory, 0),
    bytes_written_per_report: round(written / sent, 0),
  };
};
