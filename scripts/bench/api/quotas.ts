import { Database } from "bun:sqlite";
import { join } from "node:path";
import { LIMITS } from "../../../src/shared/limits";
import { option, signIn, timeRequests } from "../lib/client";
import { PASSWORD, seed } from "../lib/seed";
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

const OTHERS = 20;
const INTERVAL = 60;
const QUOTA = { monitors: 200, servers: 50, channels: 20, keys: 20, tokens: 10 };
const HALF = "x".repeat(LIMITS.headersBytes / 2 - 10);

/** Adds one ordinary user at all quotas: monitors as large as they may be, all of them due, on targets that hang. */
const addUserAtQuotas = (dataDir: string, urls: string[], payload: string) => {
  const db = new Database(join(dataDir, "wakeful.db"));
  const now = Date.now();
  db.transaction(() => {
    const { password_hash: hash } = db.query("select password_hash from users where id = 1").get() as {
      password_hash: string;
    };
    db.query(
      `insert into users (id, username, username_key, password_hash, role, created_at) values (2, 'bob', 'bob', ?, 'user', ?)`,
    ).run(hash, now);
    for (let index = 1; index <= QUOTA.monitors; index++) {
      const id = OTHERS + index;
      const url = urls[index % urls.length] ?? "";
      const config = JSON.stringify({ url, method: "POST", expected_status: 200 });
      db.query(
        `insert into monitors (id, user_id, name, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
          values (?, 2, ?, 'http', ?, ?, ?, 60, 55, 5, 1, ?, ?)`,
      ).run(id, `Fat ${index}`, url, config, payload, now, now);
      db.query(
        `insert into monitor_states (monitor_id, next_check_at, revision, status) values (?, ?, 0, 'pending')`,
      ).run(id, now);
    }
    for (let index = 1; index <= QUOTA.servers; index++) {
      db.query(
        `insert into agents (id, user_id, enrollment, name, hostname, ip_addresses, os, version, created_at)
          values (?, 2, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        index,
        `enrollment ${index}`,
        "s".repeat(255),
        "h".repeat(255),
        JSON.stringify(Array.from({ length: 16 }, () => "f".repeat(64))),
        "o".repeat(255),
        "v".repeat(255),
        now,
      );
      db.query(`insert into agent_states (agent_id, key_hash, status) values (?, ?, 'connecting')`).run(
        index,
        `key ${index}`,
      );
    }
    const config = JSON.stringify({ apiKey: "k".repeat(200), from: "a@example.com", to: "t".repeat(2000) });
    for (let index = 1; index <= QUOTA.channels; index++)
      db.query(
        `insert into channels (user_id, name, type, config, enabled, created_at, updated_at) values (2, ?, 'resend', ?, 1, ?, ?)`,
      ).run("c".repeat(100), config, now, now);
    for (let index = 1; index <= QUOTA.keys; index++)
      db.query(`insert into api_keys (user_id, name, scope, hash, created_at) values (2, ?, 'full', ?, ?)`).run(
        "k".repeat(100),
        `key ${index}`,
        now,
      );
    for (let index = 1; index <= QUOTA.tokens; index++)
      db.query(`insert into enrollment_tokens (hash, user_id, created_at, expires_at) values (?, 2, ?, ?)`).run(
        `token ${index}`,
        now,
        now + 86_400_000,
      );
  })();
  db.close();
};

/**
 * One ordinary user at all quotas, with the largest allowed monitors on targets that never answer: how the
 * hub starts, its memory, the lateness of another user's checks, and the time of the administrator's list.
 * `--seconds` (90) is how long it runs; `--headers` and `--body` are bytes of each monitor.
 */
export const bench = async (args: string[]): Promise<object> => {
  const seconds = option(args, "seconds", 90);
  const dataDir = temporaryDirectory();
  const [healthy, hanging] = [await startTargets({ ports: 1 }), await startTargets({ ports: 4, hang: true })];
  await seed(dataDir, { monitors: OTHERS, interval: INTERVAL, urls: healthy.urls });
  const parts = Math.max(2, Math.ceil(option(args, "headers", LIMITS.headersBytes) / LIMITS.headerValue));
  const names = Array.from({ length: parts }, (_, index) => `x-${index}`);
  const fat = {
    headers: Object.fromEntries(names.map((name) => [name, HALF])),
    body: "b".repeat(option(args, "body", LIMITS.body)),
  };
  addUserAtQuotas(dataDir, hanging.urls, JSON.stringify(fat));
  const server = await startServer(dataDir, { PRIVATE_TARGETS: "all" });
  const from = Date.now();
  await Bun.sleep(2000);
  const afterStart = residentMemory(server.pid);
  let peak = afterStart;
  const token = await signIn(server.url);
  const list = await timeRequests(`${server.url}/api/monitors`, token, 20);
  const full = await timeRequests(`${server.url}/api/monitors?fields=all`, token, 5);
  const listed = residentMemory(server.pid);
  const reply = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "bob", password: PASSWORD }),
  });
  const bob = ((await reply.json()) as { token: string }).token;
  const exported = await timeRequests(`${server.url}/api/export`, bob, 3);
  const afterExport = residentMemory(server.pid);
  while (Date.now() - from < seconds * 1000) {
    await Bun.sleep(1000);
    peak = Math.max(peak, residentMemory(server.pid));
  }
  const afterwards = residentMemory(server.pid);
  await server.stop();
  healthy.stop();
  hanging.stop();
  const others = (await readChecksOf(dataDir, { from })).filter(({ monitorId }) => monitorId <= OTHERS);
  remove(dataDir);
  const lateness = latenessOf(INTERVAL);
  const late = ascending(others.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)));
  return {
    start_ms: round(server.startedIn, 0),
    memory_after_start_mb: round(afterStart, 0),
    memory_after_lists_mb: round(listed, 0),
    memory_after_export_mb: round(afterExport, 0),
    memory_peak_mb: round(peak, 0),
    memory_at_the_end_mb: round(afterwards, 0),
    others_checked: others.length,
    others_up: others.filter(({ up }) => up).length,
    others_late_p50_ms: percentile(late, 0.5),
    others_late_max_ms: late.at(-1),
    administrators_list_ms: list.ms,
    administrators_list_bytes: list.bytes,
    all_fields_ms: full.ms,
    all_fields_bytes: full.bytes,
    export_ms: exported.ms,
    export_bytes: exported.bytes,
  };
};
