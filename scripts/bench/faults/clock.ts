import { Database } from "bun:sqlite";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { option, signIn } from "../lib/client";
import { startCountingTarget } from "../lib/hits";
import { callsOf } from "../lib/provider";
import { seed, setUrls } from "../lib/seed";
import { keyOf, seedAgents } from "../lib/seed-agents";
import { remove, startServer, temporaryDirectory } from "../lib/server";

/** From Debian's `faketime` package. */
const LIBRARY = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;
const [HOUR, INTERVAL, AGENTS] = [3600, 60, 5];

/**
 * The clock is set an hour ahead, back, and back once more while monitors of 60 s run, `--seconds` (70) after each: every
 * monitor must continue to be checked without bursts, and no agent may go offline.
 */
export const fault = async (args: string[]) => {
  if (!existsSync(LIBRARY)) throw new Error(`${LIBRARY} is missing: install Debian's faketime.`);
  const [monitors, seconds] = [option(args, "monitors", 600), option(args, "seconds", 70)];
  const dataDir = temporaryDirectory();
  const target = startCountingTarget(monitors);
  await seed(dataDir, { monitors, interval: INTERVAL, urls: target.origins });
  await seedAgents(dataDir, { agents: AGENTS, interval: 60 });
  setUrls(dataDir, (id) => `${target.origins[id % target.origins.length]}/${id}`);
  const file = join(dataDir, "time");
  const set = (hours: number) => writeFileSync(file, `${hours < 0 ? "-" : "+"}${Math.abs(hours) * HOUR}`);
  set(0);
  const server = await startServer(dataDir, {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  });
  const token = await signIn(server.url);
  let refused = 0;
  const report = async (hours: number) => {
    const usage = { total: 1000, used: 400 };
    const at = new Date(Date.now() + hours * HOUR * 1000).toISOString();
    const sample = { at, cpu: 10, memory: usage, disk: usage, network: null };
    const body = { interval: 60, hostname: "web-1", ip_addresses: [], os: "Debian", version: "6.1", samples: [sample] };
    for (let agent = 1; agent <= AGENTS; agent++)
      await callsOf(server.url, keyOf(agent))("POST", "/agents/report", body).catch(() => refused++);
  };
  const steps: Record<string, object> = {};
  let [missed, storms, silent] = [0, 0, 0];
  await Bun.sleep((INTERVAL + 5) * 1000);
  for (const [step, hours] of [0, 1, 0, -1].entries()) {
    set(hours);
    await report(hours);
    target.watch(0);
    const counted: number[] = [];
    for (const begun = performance.now(); performance.now() - begun < seconds * 1000; ) {
      const before = target.read().requests;
      await Bun.sleep(1000);
      counted.push(target.read().requests - before);
      if (counted.length % 20 === 10) await report(hours);
    }
    const { requests, longestGap } = target.read();
    const most = Math.max(...counted);
    type Agents = { counts: { inactive: number } };
    const { counts } = await callsOf(server.url, token)<Agents>("GET", "/agents");
    steps[`${step} at ${hours} h`] = { requests, longest_gap_ms: longestGap, most_in_a_second: most };
    // The next time after a clock was set may be a whole interval away.
    missed += Number(longestGap > (2 * INTERVAL + 5) * 1000);
    // Whatever was overdue is spread over seconds; all at once would be a storm.
    storms += Number(requests > monitors * (seconds / INTERVAL) + monitors + 10);
    silent += counts.inactive;
  }
  await server.stop();
  target.stop();
  const [events] = new Database(join(dataDir, "wakeful.db"), { readonly: true })
    .query("select count(*) as count from events where kind = 'offline'")
    .all() as { count: number }[];
  remove(dataDir);
  return {
    monitors,
    steps,
    refused,
    losses: { missed, storms, silent, offline: events?.count ?? 0, refused },
  };
};
