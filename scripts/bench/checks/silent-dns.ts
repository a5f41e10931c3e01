import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { option } from "../lib/client";
import { PASSWORD, seed, setUrls } from "../lib/seed";
import { EXECUTABLE, remove, round, startServer, startTargets, temporaryDirectory } from "../lib/server";
import { latenessOf } from "../lib/spread";
import { type MonitorCheck, readChecksOf } from "../lib/stored-checks";

const SILENT = 40;
const INTERVAL = 20;
/** By address, and by a name that resolves while the resolver works. */
const HEALTHY = [SILENT + 1, SILENT + 2];
const ENTER = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-c"];
const PREPARE = `ip link set lo up && mount --bind "$FOLDER/resolv.conf" /etc/resolv.conf && mount --bind "$FOLDER/hosts" /etc/hosts`;

/** Runs the benchmark in a network namespace with its own resolver. */
const enter = async (args: string[]): Promise<object> => {
  const folder = temporaryDirectory();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.53\n");
  writeFileSync(join(folder, "hosts"), "127.0.0.1 localhost\n");
  const child = Bun.spawn([...ENTER, `${PREPARE} && exec "$BUN" "$SCRIPT" silent-dns "$@"`, "sh", ...args], {
    env: {
      ...process.env,
      FOLDER: folder,
      BUN: process.execPath,
      SCRIPT: join(import.meta.dir, "../run.ts"),
      WAKEFUL_EXECUTABLE: EXECUTABLE,
      SILENT_DNS_INSIDE: "1",
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(child.stdout).text();
  remove(folder);
  const { bench: _, ...found } = JSON.parse(printed.trim().split("\n").at(-1) ?? "{}");
  return found;
};

/** A resolver that answers one name and the root, never answers for slow.test, and can stop answering altogether. */
const startResolver = async () => {
  const state = { silent: false };
  await Bun.udpSocket({
    hostname: "127.0.0.53",
    port: 53,
    socket: {
      data: (socket, query, port, address) => {
        const labels: string[] = [];
        let end = 12;
        for (; query[end]; end += (query[end] ?? 0) + 1)
          labels.push(query.subarray(end + 1, end + 1 + (query[end] ?? 0)).toString());
        const name = labels.join(".").toLowerCase();
        if (state.silent || name.endsWith("slow.test")) return;
        const isAddress = query.readUInt16BE(end + 1) === 1 && name === "well.test";
        const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1];
        const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0]);
        const records = Buffer.from(isAddress ? answer : []);
        socket.send(Buffer.concat([head, query.subarray(12, end + 5), records]), port, address);
      },
    },
  });
  return state;
};

const LIMIT = 20_000;

/** Milliseconds of a request, at most the limit. */
const timed = async (url: string, init: RequestInit): Promise<{ ms: number; token?: string }> => {
  const begun = performance.now();
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT) })
    .then(async (response) => ({ ok: response.ok, body: (await response.json()) as { token?: string } }))
    .catch(() => null);
  return { ms: answer?.ok ? performance.now() - begun : LIMIT, token: answer?.body.token };
};

const signInTimed = (url: string) =>
  timed(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: PASSWORD }),
  });

/** Calls /me four times a second and signs in every five seconds. Returns the slowest of each. */
const watch = async (url: string, token: string, seconds: number) => {
  const slowest = { me: 0, signIn: 0 };
  const headers = { authorization: `Bearer ${token}` };
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn++) {
    const next = performance.now() + 250;
    slowest.me = Math.max(slowest.me, (await timed(`${url}/api/auth/me`, { headers })).ms);
    if (turn % 20 === 10) slowest.signIn = Math.max(slowest.signIn, (await signInTimed(url)).ms);
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
  return { me_slowest_ms: round(slowest.me), sign_in_slowest_ms: round(slowest.signIn, 0) };
};

const measured = (checks: MonitorCheck[]) => {
  const lateness = latenessOf(INTERVAL);
  const healthy = checks.filter(({ monitorId }) => HEALTHY.includes(monitorId));
  return {
    healthy_checks: healthy.length,
    healthy_down: healthy.filter(({ up }) => !up).length,
    healthy_late_max_ms: Math.max(0, ...healthy.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt))),
    silent_down: checks.filter(({ monitorId, up }) => !HEALTHY.includes(monitorId) && !up).length,
  };
};

/**
 * 40 monitors of one user on names whose name servers do not answer, beside two healthy ones of another: for a minute,
 * for `--silence` seconds while the machine's own resolver does not answer, and for a minute after that.
 */
export const bench = async (args: string[]): Promise<object> => {
  if (!process.env.SILENT_DNS_INSIDE) return enter(args);
  const [seconds, silence] = [option(args, "seconds", 60), option(args, "silence", 300)];
  const resolver = await startResolver();
  const targets = await startTargets({ ports: 1 });
  const dataDir = temporaryDirectory();
  await seed(dataDir, { monitors: SILENT + 2, interval: INTERVAL, timeout: 10, urls: targets.urls });
  const db = new Database(join(dataDir, "wakeful.db"));
  db.query(
    "insert into users (username, username_key, password_hash, role, created_at) values ('bob', 'bob', '-', 'user', 0)",
  ).run();
  const bob = "(select id from users where username = 'bob')";
  db.query(`update monitors set user_id = ${bob} where id <= ?`).run(SILENT);
  db.close();
  const byName = (targets.urls[0] ?? "").replace("127.0.0.1", "well.test");
  setUrls(dataDir, (id) => (id <= SILENT ? `http://h${id}.slow.test/` : id === SILENT + 2 ? byName : null));
  const server = await startServer(dataDir, { PRIVATE_TARGETS: "all" });
  const { token = "" } = await signInTimed(server.url);
  const phases: Record<string, object> = {};
  const spans: [name: string, from: number, until: number][] = [];
  for (const [name, length] of [
    ["silent_names", seconds],
    ["silent_resolver", silence],
    ["after", seconds],
  ] as const) {
    if (length === 0) continue;
    resolver.silent = name === "silent_resolver";
    const from = Date.now();
    phases[name] = await watch(server.url, token, length);
    // A lookup in progress when the resolver changes counts for neither phase.
    spans.push([name, from + 10_000, Date.now() - 10_000]);
  }
  await Bun.sleep(12_000);
  await server.stop();
  targets.stop();
  for (const [name, from, until] of spans)
    phases[name] = { ...phases[name], ...measured(await readChecksOf(dataDir, { from, until })) };
  remove(dataDir);
  return { silent: SILENT, ...phases };
};
