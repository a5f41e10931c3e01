import { Database } from "bun:sqlite";
import { join } from "node:path";
import { seed } from "../lib/seed";
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

const HUNG = 1000;
const HEALTHY = 20;
const INTERVAL = 60;

/** 1,000 hanging targets beside 20 healthy ones for two minutes: lateness of the healthy ones. */
export const bench = async (): Promise<object> => {
  const dataDir = temporaryDirectory();
  const hanging = await startTargets({ ports: 4, hang: true });
  const healthy = await startTargets({ ports: 1 });
  await seed(dataDir, { monitors: HUNG + HEALTHY, interval: INTERVAL, timeout: 55, urls: hanging.urls });
  const db = new Database(join(dataDir, "wakeful.db"));
  db.query("update monitors set url = ? where id % ? = 0").run(healthy.urls[0] ?? "", Math.floor(HUNG / HEALTHY));
  db.close();
  const server = await startServer(dataDir);
  const from = Date.now();
  await Bun.sleep(125_000);
  const memory = residentMemory(server.pid);
  await server.stop();
  hanging.stop();
  healthy.stop();
  const rows = new Database(join(dataDir, "wakeful.db"), { readonly: true })
    .query("select monitor_id as id, checked_at as at, up, error_code as errorCode from checks where checked_at >= ?")
    .all(from) as { id: number; at: number; up: number; errorCode: string | null }[];
  remove(dataDir);
  const late = ascending(
    rows.filter(({ up }) => up).map(({ id, at }) => (at - ((id * 100) % (INTERVAL * 1000))) % (INTERVAL * 1000)),
  );
  return {
    hung: HUNG,
    timeouts: rows.filter(({ errorCode }) => errorCode === "timeout").length,
    healthy_checks: late.length,
    healthy_late_p50_ms: percentile(late, 0.5),
    healthy_late_max_ms: late.at(-1),
    memory_mb: round(memory, 0),
  };
};
