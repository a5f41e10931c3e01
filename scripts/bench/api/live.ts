import { Database } from "bun:sqlite";
import { join } from "node:path";
import { hashSecret, randomSecret } from "../../../src/core/secrets";
import type { LiveMonitor } from "../../../src/shared/live";
import { createEventParser } from "../../../web/lib/stream/event-stream";
import { option, signIn } from "../lib/client";
import { seed, setUrls } from "../lib/seed";
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
import { readChecksOf } from "../lib/stored-checks";
import type { Readers } from "../lib/stream-readers";

const MONITORS = 1000;
/** Monitors that go down and up again. */
const CHANGING = 50;
const INTERVAL = 20;
const STREAMS_EACH = 20;

/** Adds administrators, who see every event, and returns an API key of each. */
const addReaders = (dataDir: string, count: number): string[] => {
  const db = new Database(join(dataDir, "wakeful.db"));
  const keys = Array.from({ length: count }, () => randomSecret("wk"));
  db.transaction(() => {
    for (const [index, key] of keys.entries()) {
      const [id, name] = [index + 2, `reader ${index}`];
      db.query(
        "insert into users (id, username, username_key, password_hash, role, created_at) values (?, ?, ?, '', 'admin', ?)",
      ).run(id, name, name, Date.now());
      db.query("insert into api_keys (user_id, name, scope, hash, created_at) values (?, 'reader', 'read', ?, ?)").run(
        id,
        hashSecret(key),
        Date.now(),
      );
    }
  })();
  db.close();
  return keys;
};

/** A target that answers 200 or 500, and notes when it first did so to each monitor. */
const startChanging = () => {
  const state = { status: 200 };
  const answered = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const key = `${new URL(request.url).pathname.slice(1)} ${state.status === 200 ? "up" : "down"}`;
      if (!answered.has(key)) answered.set(key, performance.now());
      return new Response(null, { status: state.status });
    },
  });
  return { state, answered, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};

/** Reads the stream as a page does, and notes when each status of each monitor arrives first. */
const follow = async (url: string, token: string, signal: AbortSignal) => {
  const arrived = new Map<string, number>();
  const response = await fetch(`${url}/api/live`, { headers: { authorization: `Bearer ${token}` }, signal });
  const read = async () => {
    const parse = createEventParser();
    const decoder = new TextDecoder();
    for await (const part of response.body ?? [])
      for (const { event, data } of parse(decoder.decode(part, { stream: true }))) {
        if (event !== "monitor") continue;
        const { id, status, since } = data as LiveMonitor;
        if (since && !arrived.has(`${id} ${status}`)) arrived.set(`${id} ${status}`, performance.now());
      }
  };
  const done = read().catch(() => {});
  return { arrived, done };
};

const startReaders = async (readers: Readers) => {
  const child = Bun.spawn(["bun", join(import.meta.dir, "../lib/stream-readers.ts"), JSON.stringify(readers)], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const lines = child.stdout.getReader();
  const line = async () => JSON.parse(new TextDecoder().decode((await lines.read()).value)) as Record<string, number>;
  await line();
  return {
    stop: async () => {
      child.stdin.end();
      return line();
    },
  };
};

/** Lets all changing monitors go down and up, and returns the milliseconds from the target's answer to the event. */
const measureChanges = async ({ url }: Running, target: ReturnType<typeof startChanging>) => {
  const ended = new AbortController();
  const { arrived, done } = await follow(url, await signIn(url), ended.signal);
  target.answered.clear();
  for (const status of [500, 200]) {
    target.state.status = status;
    await Bun.sleep((INTERVAL + 2) * 1000);
  }
  ended.abort();
  await done;
  const times = [...target.answered].flatMap(([key, at]) => {
    const seen = arrived.get(key);
    return seen === undefined ? [] : [seen - at];
  });
  return { times: ascending(times), missing: target.answered.size - times.length };
};

/**
 * 1,000 streams of administrators, who see every result of 1,000 monitors at 20 s: memory, CPU and lateness with and
 * without them, and the time from a failed answer to its event at a page. `--streams` changes their number.
 */
export const bench = async (args: string[]): Promise<object> => {
  const streams = option(args, "streams", 1000);
  const dataDir = temporaryDirectory();
  const [targets, changing] = [await startTargets({ ports: 8 }), startChanging()];
  await seed(dataDir, { monitors: MONITORS + CHANGING, interval: INTERVAL, urls: targets.urls });
  setUrls(dataDir, (id) => (id > MONITORS ? `${changing.url}/${id}` : null));
  const keys = addReaders(dataDir, Math.ceil(streams / STREAMS_EACH));
  const server = await startServer(dataDir);
  await Bun.sleep((INTERVAL + 5) * 1000);

  const measure = async () => {
    const [from, before] = [Date.now(), usage(server.pid).cpu];
    const changes = await measureChanges(server, changing);
    const [until, memory] = [Date.now(), residentMemory(server.pid)];
    const cpu = ((usage(server.pid).cpu - before) / (until - from)) * 100_000;
    return { from, until, cpu, memory, changes };
  };
  const alone = await measure();
  const readers = await startReaders({ url: `${server.url}/api/live`, keys, each: STREAMS_EACH });
  const together = await measure();
  const read = await readers.stop();
  const stopping = performance.now();
  await server.stop();
  const stopped = performance.now() - stopping;
  targets.stop();
  changing.stop();

  const lateness = latenessOf(INTERVAL);
  const late = async ({ from, until }: typeof alone) => {
    const checks = await readChecksOf(dataDir, { from, until });
    return ascending(checks.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)));
  };
  const [lateAlone, lateTogether] = [await late(alone), await late(together)];
  remove(dataDir);
  return {
    streams: keys.length * STREAMS_EACH,
    monitors: MONITORS + CHANGING,
    memory_alone_mb: round(alone.memory, 0),
    memory_with_streams_mb: round(together.memory, 0),
    memory_of_streams_mb: round(together.memory - alone.memory, 0),
    cpu_alone_percent: round(alone.cpu),
    cpu_with_streams_percent: round(together.cpu),
    late_p99_alone_ms: percentile(lateAlone, 0.99),
    late_max_alone_ms: lateAlone.at(-1),
    late_p99_with_streams_ms: percentile(lateTogether, 0.99),
    late_max_with_streams_ms: lateTogether.at(-1),
    changes: together.changes.times.length,
    changes_missing: together.changes.missing + alone.changes.missing,
    change_median_alone_ms: round(percentile(alone.changes.times, 0.5)),
    change_median_ms: round(percentile(together.changes.times, 0.5)),
    change_p99_ms: round(percentile(together.changes.times, 0.99)),
    streamed_mb: round((read.bytes ?? 0) / 2 ** 20),
    streams_lost: read.closed,
    stop_ms: round(stopped, 0),
  };
};
