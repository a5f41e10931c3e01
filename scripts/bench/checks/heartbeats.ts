import { Database } from "bun:sqlite";
import { join } from "node:path";
import { option } from "../lib/client";
import { seed } from "../lib/seed";
import {
  ascending,
  percentile,
  remove,
  residentMemory,
  round,
  startServer,
  temporaryDirectory,
  usage,
} from "../lib/server";

const tokenOf = (id: number): string => id.toString(16).padStart(32, "0");

/** Turns seeded monitors into heartbeats that wait: their deadlines are an hour and more ahead. */
const toHeartbeats = (dataDir: string): void => {
  const db = new Database(join(dataDir, "wakeful.db"));
  db.run(
    `update monitors set kind = 'heartbeat', target = 'every 1 d', host = '', config = '{"every":86400,"grace":3600,"post_only":false}', payload = '{}'`,
  );
  db.run(`update monitor_states set next_check_at = ${Number.MAX_SAFE_INTEGER}, pack = null, pack_hour = null`);
  db.run(`insert into heartbeats (monitor_id, token, deadline_at, pinged_at, succeeded_at)
    select id, printf('%032x', id), ${Date.now() + 3_600_000} + id * 100, ${Date.now()}, ${Date.now()} from monitors`);
  db.close();
};

const idle = async (pid: number, seconds: number) => {
  await Bun.sleep(5000);
  const before = usage(pid);
  await Bun.sleep(seconds * 1000);
  const after = usage(pid);
  return {
    cpu_percent: round(((after.cpu - before.cpu) / seconds) * 100, 2),
    memory_mb: round(residentMemory(pid)),
    written_kb: round((after.written - before.written) / 1024, 0),
  };
};

/** Sends pings to different heartbeats at a rate, each at its own time. */
const sendPings = async (url: string, { rate, seconds, count }: { rate: number; seconds: number; count: number }) => {
  const latencies: number[] = [];
  let failed = 0;
  const one = async (id: number) => {
    const startedAt = performance.now();
    const ok = await fetch(`${url}/ping/${tokenOf(id)}`).then(
      async (response) => (await response.text()) === "OK",
      () => false,
    );
    if (ok) latencies.push(performance.now() - startedAt);
    else failed++;
  };
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - startedAt) / 1000) * rate));
    for (; sent < due; sent++) running.push(one((sent % count) + 1));
    await Bun.sleep(1);
  }
  await Promise.all(running);
  const sorted = ascending(latencies);
  return {
    pings: latencies.length,
    failed,
    a_second: round(latencies.length / ((performance.now() - startedAt) / 1000), 0),
    p50_ms: round(percentile(sorted, 0.5)),
    p99_ms: round(percentile(sorted, 0.99)),
    max_ms: round(sorted.at(-1) ?? 0),
  };
};

/**
 * The idle hub with one and with 100,000 heartbeats that wait (`--monitors`), and 2,000 pings a second (`--rate`) for 20
 * seconds (`--seconds`).
 */
export const bench = async (args: string[]): Promise<object> => {
  const monitors = option(args, "monitors", 100_000);
  const seconds = option(args, "seconds", 20);
  const found: Record<string, object> = {};
  for (const count of [1, monitors]) {
    const dataDir = temporaryDirectory();
    await seed(dataDir, { monitors: count, interval: 60, urls: ["http://127.0.0.1/"] });
    toHeartbeats(dataDir);
    const server = await startServer(dataDir);
    found[`idle_with_${count}`] = await idle(server.pid, 30);
    if (count > 1) {
      const before = usage(server.pid);
      const pings = await sendPings(server.url, { rate: option(args, "rate", 2000), seconds, count });
      const cpu = usage(server.pid).cpu - before.cpu;
      found.pings = { ...pings, cpu_microseconds_per_ping: round((cpu / pings.pings) * 1e6, 0) };
    }
    await server.stop();
    remove(dataDir);
  }
  return found;
};
