import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { option } from "../lib/client";
import { seed } from "../lib/seed";
import { ascending, percentile, remove, round, startServer, temporaryDirectory } from "../lib/server";
import { latenessOf } from "../lib/spread";
import { readChecksOf } from "../lib/stored-checks";

/** CPU seconds of a process, and of its children that have ended. */
const cpuOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").map(Number) ?? [];
  const [own = 0, system = 0, children = 0, childrenSystem = 0] = stat.slice(11, 15);
  return { own: (own + system) / 100, children: (children + childrenSystem) / 100 };
};

/** 1,000 hosts that are pinged each minute, with three packets each, for a minute: `--monitors` and `--seconds` change that. */
export const bench = async (args: string[]): Promise<object> => {
  const monitors = option(args, "monitors", 1000);
  const seconds = option(args, "seconds", 60);
  const interval = 60;
  const dataDir = temporaryDirectory();
  await seed(dataDir, { monitors, interval, urls: ["http://127.0.0.1/"] });
  const db = new Database(join(dataDir, "wakeful.db"));
  db.run(
    `update monitors set kind = 'ping', target = '127.0.0.1', host = '127.0.0.1', config = '{"host":"127.0.0.1","count":3}', payload = '{}'`,
  );
  db.close();
  const server = await startServer(dataDir);
  await Bun.sleep((interval + 5) * 1000);
  const [from, before] = [Date.now(), cpuOf(server.pid)];
  await Bun.sleep(seconds * 1000);
  const [until, after] = [Date.now(), cpuOf(server.pid)];
  await Bun.sleep(1500);
  await server.stop();
  const rows = await readChecksOf(dataDir, { from, until });
  remove(dataDir);
  const lateness = latenessOf(interval);
  const late = ascending(rows.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)));
  const elapsed = (until - from) / 1000;
  const [own, children] = [after.own - before.own, after.children - before.children];
  return {
    monitors,
    recorded: rows.length,
    up: rows.filter(({ up }) => up).length,
    late_p99_ms: percentile(late, 0.99),
    cpu_percent_of_one_core: round(((own + children) / elapsed) * 100),
    own_cpu_percent: round((own / elapsed) * 100),
    children_cpu_percent: round((children / elapsed) * 100),
    cpu_microseconds_per_ping: round(((own + children) / rows.length) * 1e6, 0),
  };
};
