import { option } from "./lib/client";
import { latenessOf, seed } from "./lib/seed";
import {
  measureUsage,
  remove,
  round,
  startServer,
  startTargets,
  summarize,
  temporaryDirectory,
  withFile,
} from "./lib/server";
import { queryOf, readStoredChecks } from "./lib/stored-checks";

type Load = {
  monitors: number;
  interval: number;
  seconds: number;
  /** Days of existing sums. */
  sumDays?: number;
  /** Other load during the run. */
  during?: (url: string) => Promise<object>;
};

/**
 * Runs the hub under a load of checks and reports throughput and cost. SQLite copies its log into the file about once a
 * minute with 20,000 monitors, so bytes of a run of less than two minutes depend on how often that falls into it.
 */
export const measureChecks = async ({ monitors, interval, seconds, sumDays, during }: Load) => {
  const dataDir = temporaryDirectory();
  const targets = await startTargets(8);
  await seed(dataDir, { monitors, interval, urls: targets.urls, sumDays });
  const server = await startServer(dataDir);
  await Bun.sleep((interval + 5) * 1000);
  const other = during?.(server.url);
  const from = Date.now();
  const { elapsed, cpu, written, memory } = await measureUsage(server.pid, () => Bun.sleep(seconds * 1000));
  const until = Date.now();
  const others = await other;
  await Bun.sleep(1500);
  await server.stop();
  targets.stop();
  const rows = await withFile(dataDir, (db) => readStoredChecks(queryOf(db), { from, until }));
  remove(dataDir);
  const lateness = latenessOf(interval);
  const late = rows.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt));
  return {
    monitors,
    interval,
    seconds: round(elapsed, 0),
    expected: Math.round((monitors / interval) * elapsed),
    recorded: rows.length,
    up: rows.filter(({ up }) => up).length,
    ...summarize("late_", late),
    within_1s_percent: round((late.filter((time) => time <= 1000).length / late.length) * 100, 2),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100),
    cpu_microseconds_per_check: round((cpu / rows.length) * 1e6, 0),
    memory_mb: round(memory, 0),
    ...others,
    bytes_written_per_check: round(written / rows.length, 0),
  };
};

/** 100,000 monitors at 60 s for three minutes: `--monitors`, `--interval` and `--seconds` change that. */
export const bench = (args: string[]): Promise<object> =>
  measureChecks({
    monitors: option(args, "monitors", 100_000),
    interval: option(args, "interval", 60),
    seconds: option(args, "seconds", 180),
  });
