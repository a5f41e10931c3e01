import { seed, setUrls } from "../lib/seed";
import {
  ascending,
  percentile,
  remove,
  residentMemory,
  round,
  startServer,
  startTargets,
  temporaryDirectory,
} from "../lib/server";
import { latenessOf } from "../lib/spread";
import { readChecksOf } from "../lib/stored-checks";

const HUNG = 1000;
const HEALTHY = 20;
const INTERVAL = 60;

/** 1,000 hanging targets beside 20 healthy ones for two minutes: lateness of the healthy ones. */
export const bench = async (): Promise<object> => {
  const dataDir = temporaryDirectory();
  const hanging = await startTargets({ ports: 4, hang: true });
  const healthy = await startTargets({ ports: 1 });
  await seed(dataDir, { monitors: HUNG + HEALTHY, interval: INTERVAL, timeout: 55, urls: hanging.urls });
  setUrls(dataDir, (id) => (id % Math.floor(HUNG / HEALTHY) === 0 ? (healthy.urls[0] ?? "") : null));
  const server = await startServer(dataDir);
  const from = Date.now();
  await Bun.sleep(125_000);
  const memory = residentMemory(server.pid);
  await server.stop();
  hanging.stop();
  healthy.stop();
  const checks = await readChecksOf(dataDir, { from });
  remove(dataDir);
  const lateness = latenessOf(INTERVAL);
  const late = ascending(
    checks.filter(({ up }) => up).map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)),
  );
  return {
    hung: HUNG,
    timeouts: checks.filter(({ error }) => error?.code === "timeout").length,
    healthy_checks: late.length,
    healthy_late_p50_ms: percentile(late, 0.5),
    healthy_late_max_ms: late.at(-1),
    memory_mb: round(memory, 0),
  };
};
