import { Database } from "bun:sqlite";
import { join } from "node:path";
import { option, signIn } from "../lib/client";
import { startReporter } from "../lib/reporting";
import { seed } from "../lib/seed";
import { keyOf, seedAgents } from "../lib/seed-agents";
import {
  ascending,
  percentile,
  type Running,
  remove,
  residentMemory,
  round,
  startServer,
  startTargets,
  temporaryDirectory,
  usage,
} from "../lib/server";
import { latenessOf } from "../lib/spread";
import { queryOf, readStoredChecks } from "../lib/stored-checks";
import { auditSamples } from "../lib/stored-samples";

const MINUTE = 60_000;
/** The requests of an open dashboard, and their interval. */
const POLLED = ["/api/dashboard", "/api/monitors", "/api/agents", "/api/monitors/1", "/api/status/data"];
const POLL = 5000;

/** One minute of the run. */
type Minute = { memory: number; cpu: number; written: number; size: number; until: number };

/** An open page that polls everything. Returns the duration of each answer. */
const watchDashboard = async ({ url }: Running, signal: AbortSignal): Promise<number[]> => {
  const headers = { authorization: `Bearer ${await signIn(url)}` };
  const times: number[] = [];
  while (!signal.aborted) {
    for (const path of POLLED) {
      const begun = performance.now();
      const response = await fetch(`${url}${path}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      times.push(performance.now() - begun);
    }
    await Bun.sleep(POLL);
  }
  return ascending(times);
};

/** Size of the database including its WAL. */
const sizeOf = (file: string): number => {
  const db = new Database(file, { readonly: true });
  const { size } = db.query("select page_count * page_size as size from pragma_page_count, pragma_page_size").get() as {
    size: number;
  };
  db.close();
  return size;
};

const watchMinutes = async (server: Running, file: string, minutes: number): Promise<Minute[]> => {
  const found: Minute[] = [];
  let before = usage(server.pid);
  for (let minute = 0; minute < minutes; minute++) {
    let memory = 0;
    for (let second = 0; second < 60; second++) {
      await Bun.sleep(1000);
      memory = Math.max(memory, residentMemory(server.pid));
    }
    const after = usage(server.pid);
    const cpu = ((after.cpu - before.cpu) / 60) * 100;
    found.push({ memory, cpu, written: after.written - before.written, size: sizeOf(file), until: Date.now() });
    before = after;
  }
  return found;
};

/** Lateness of checks by minute, and the number stored. */
const readStored = async (file: string, from: number, minutes: Minute[], interval: number) => {
  const db = new Database(file, { readonly: true });
  const last = minutes.at(-1)?.until ?? from;
  const checks = await readStoredChecks(queryOf(db), { from, until: last });
  const { samples } = await auditSamples(queryOf(db));
  db.close();
  const lateness = latenessOf(interval);
  const late = minutes.map(({ until }, index) =>
    ascending(
      checks
        .filter(({ checkedAt }) => checkedAt >= (minutes[index - 1]?.until ?? from) && checkedAt < until)
        .map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)),
    ),
  );
  return { checks: checks.length, samples: samples.length, late };
};

/** Growth of the second half predicted from the first, without the first minutes, which fill caches. */
const foretell = (minutes: Minute[]) => {
  const sizes = minutes.slice(Math.min(2, minutes.length - 3)).map(({ size }) => size / 1e6);
  const middle = Math.floor((sizes.length - 1) / 2);
  const [first, half, last] = [sizes[0] ?? 0, sizes[middle] ?? 0, sizes.at(-1) ?? 0];
  return { foretold: half + ((half - first) / middle) * (sizes.length - 1 - middle), last };
};

/**
 * Soak test with monitors, reporting agents and an open dashboard: whether memory, lateness and file size stay as they
 * should. 5,000 of each for 20 minutes: `--monitors`, `--agents`, `--interval` and `--minutes` change that.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [monitors, agents] = [option(args, "monitors", 5000), option(args, "agents", 5000)];
  const [interval, length] = [option(args, "interval", 60), option(args, "minutes", 20)];
  const [dataDir, targets] = [temporaryDirectory(), await startTargets({ ports: 8 })];
  const file = join(dataDir, "wakeful.db");
  await seed(dataDir, { monitors, interval, urls: targets.urls });
  await seedAgents(dataDir, { agents, interval });
  const server = await startServer(dataDir);
  const ended = new AbortController();
  const dashboard = watchDashboard(server, ended.signal);
  const keys = Array.from({ length: agents }, (_, index) => keyOf(index + 1));
  const reports = startReporter({ url: server.url, keys, interval, seconds: length * 60 });
  // The start is not part of the running cost.
  await Bun.sleep(MINUTE);
  const from = Date.now();
  const minutes = await watchMinutes(server, file, length - 1);
  const { sent, accepted, latencies, refusals } = await reports;
  ended.abort();
  const answered = await dashboard;
  await server.stop();
  targets.stop();
  const { checks, samples, late } = await readStored(file, from, minutes, interval);
  remove(dataDir);
  const of = (figure: (minute: Minute) => number, digits = 0) => minutes.map((minute) => round(figure(minute), digits));
  const sizes = foretell(minutes);
  return {
    monitors,
    agents,
    interval,
    minutes: length,
    checks,
    checks_expected: Math.round((monitors / interval) * 60 * minutes.length),
    late_p99_ms_by_minute: late.map((times) => percentile(times, 0.99)),
    late_max_ms_by_minute: late.map((times) => times.at(-1)),
    reports: sent,
    accepted,
    samples,
    ...(Object.keys(refusals).length > 0 && { refusals }),
    report_p99_ms: percentile(ascending(latencies), 0.99),
    dashboard_p50_ms: round(percentile(answered, 0.5)),
    dashboard_p99_ms: round(percentile(answered, 0.99)),
    memory_mb_by_minute: of(({ memory }) => memory),
    cpu_percent_by_minute: of(({ cpu }) => cpu, 1),
    written_mb_by_minute: of(({ written }) => written / 1e6),
    file_mb_by_minute: of(({ size }) => size / 1e6, 1),
    file_mb: round(sizes.last),
    file_mb_foretold: round(sizes.foretold),
  };
};
