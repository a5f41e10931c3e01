import { option } from "./lib/client";
import { startCluster } from "./lib/cluster";
import { startCountingTarget } from "./lib/hits";
import { latenessOf } from "./lib/seed";
import { round, summarize, usage } from "./lib/server";
import { auditChecks, queryOfPostgres } from "./lib/stored-checks";

/** Maximum lateness of the checks of a dead instance. */
const TAKE_OVER = 30_000;

/**
 * `--instances` (3) on one PostgreSQL with `--monitors` (100,000) at `--interval` (60) seconds, measured over `--seconds` (120).
 * Then the busiest is killed: no check may be more than 30 s late, or made twice. With an interval below 60, a late check
 * and the next one may count as made twice.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [monitors, interval] = [option(args, "monitors", 100_000), option(args, "interval", 60)];
  const [seconds, instances] = [option(args, "seconds", 120), option(args, "instances", 3)];
  const target = startCountingTarget(monitors);
  const cluster = await startCluster({ monitors, interval, origins: target.origins });
  const others = await Promise.all(Array.from({ length: instances - 1 }, () => cluster.start()));
  const all = [cluster.first, ...others];
  const [doubleBelow, cpu] = [(interval * 1000) / 2, () => all.reduce((sum, { pid }) => sum + usage(pid).cpu, 0)];
  await Bun.sleep((interval + 5) * 1000);
  target.watch(doubleBelow, latenessOf(interval));
  const [begun, before] = [performance.now(), cpu()];
  await Bun.sleep(seconds * 1000);
  const [elapsed, used] = [(performance.now() - begun) / 1000, cpu() - before];
  const steady = target.read();
  const victim = await cluster.busiest(all);
  target.watch(doubleBelow);
  await victim.kill();
  await Bun.sleep(interval * 1000 + TAKE_OVER + 5000);
  const after = target.read();
  await Promise.all(all.filter((running) => running !== victim).map((running) => running.stop()));
  const { losses } = await auditChecks(queryOfPostgres(cluster.postgres.sql));
  await cluster.end();
  target.stop();
  const expected = (monitors / interval) * elapsed;
  const within = steady.late.filter((time) => time <= 2000).length;
  return {
    monitors,
    interval,
    instances,
    seconds: round(elapsed),
    expected: Math.round(expected),
    checks: steady.requests,
    within_2s_percent: round((Math.min(within, expected) / expected) * 100, 2),
    ...summarize("late_", steady.late),
    cpu_microseconds_per_check: round((used / steady.requests) * 1e6, 0),
    kill_longest_gap_ms: after.longestGap,
    losses: {
      kill_late_by_more_than_30_s: Number(after.longestGap - interval * 1000 > TAKE_OVER),
      doubles: steady.doubles,
      kill_doubles: after.doubles,
      ...losses,
    },
  };
};
