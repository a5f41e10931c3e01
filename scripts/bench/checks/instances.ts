import { option } from "../lib/client";
import { startCluster } from "../lib/cluster";
import { ascending, percentile, round, usage } from "../lib/server";
import { latenessOf } from "../lib/spread";
import { auditChecks, queryOfPostgres } from "../lib/stored-checks";

/** Maximum lateness of the checks of a dead instance. */
const TAKE_OVER = 30_000;

type Options = { monitors: number; interval: number; seconds: number; instances: number; careless?: boolean };

/** Several instances on one database: checks in time, also when one instance is killed. */
export const measureInstances = async ({ monitors, interval, seconds, instances, careless = false }: Options) => {
  const cluster = await startCluster({ monitors, interval, careless });
  const others = await Promise.all(Array.from({ length: instances - 1 }, () => cluster.start()));
  const all = [cluster.first, ...others];
  const [doubleBelow, cpu] = [(interval * 1000) / 2, () => all.reduce((sum, { pid }) => sum + usage(pid).cpu, 0)];
  await Bun.sleep((interval + 5) * 1000);
  cluster.target.watch(doubleBelow, latenessOf(interval));
  const [begun, before] = [performance.now(), cpu()];
  await Bun.sleep(seconds * 1000);
  const [elapsed, used] = [(performance.now() - begun) / 1000, cpu() - before];
  const steady = cluster.target.read();
  const late = ascending(steady.late);
  const victim = await cluster.busiest(all);
  cluster.target.watch(doubleBelow);
  await victim.kill();
  await Bun.sleep(interval * 1000 + TAKE_OVER + 5000);
  const after = cluster.target.read();
  await Promise.all(all.filter((running) => running !== victim).map((running) => running.stop()));
  const { losses } = await auditChecks(queryOfPostgres(cluster.postgres.sql));
  await cluster.end();
  const expected = (monitors / interval) * elapsed;
  const within = late.filter((time) => time <= 2000).length;
  return {
    monitors,
    interval,
    instances,
    seconds: round(elapsed),
    expected: Math.round(expected),
    checks: steady.requests,
    within_2s_percent: round((Math.min(within, expected) / expected) * 100, 2),
    late_p50_ms: percentile(late, 0.5),
    late_p99_ms: percentile(late, 0.99),
    doubles: steady.doubles,
    cpu_microseconds_per_check: round((used / steady.requests) * 1e6, 0),
    kill_longest_gap_ms: after.longestGap,
    kill_late_by_ms: Math.max(0, after.longestGap - interval * 1000),
    kill_doubles: after.doubles,
    checks_stored_twice: losses.checks_stored_twice,
    recorded_and_not_summed: losses.hours_beside_checks + losses.days_beside_checks,
  };
};

/** Three instances with 100,000 monitors at 60 s: `--monitors`, `--interval`, `--seconds`, `--instances` change that. */
export const bench = (args: string[]): Promise<object> =>
  measureInstances({
    monitors: option(args, "monitors", 100_000),
    interval: option(args, "interval", 60),
    seconds: option(args, "seconds", 120),
    instances: option(args, "instances", 3),
  });
