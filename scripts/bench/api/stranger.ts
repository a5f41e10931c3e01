import { option, signIn } from "../lib/client";
import { PASSWORD } from "../lib/seed";
import { ascending, percentile, remove, residentMemory, round, startServer, temporaryDirectory } from "../lib/server";

const MONITORS = 50;
const CONNECTIONS = 16;
/** Warm-up requests, after which code is compiled and buffers have their size. */
const WARM_UP = 2000;

const JSON_TYPE = { "content-type": "application/json" };

/** A linear congruential generator, so that every run sends the same requests. */
const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
};

/** Starting code points of alphabets that Unicode's compatibility form makes Latin letters. */
const ALPHABETS = [0x61, 0x41, 0xff41, 0xff21, 0x1d41a, 0x1d400, 0x24d0, 0x24b6];

/** Requests for every public address in many spellings. */
const createRequests = (random: () => number) => {
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const word = () => random().toString(36).slice(2, 10);
  const slug = () =>
    encodeURIComponent(
      [..."alice"].map((letter) => String.fromCodePoint(letter.charCodeAt(0) - 97 + pick(ALPHABETS))).join(""),
    );
  const report = JSON.stringify({
    interval: 60,
    hostname: "x",
    ip_addresses: [],
    os: "x",
    version: "x",
    samples: Array.from({ length: 200 }, (_, nth) => ({
      at: new Date(Date.now() - nth * 1000).toISOString(),
      cpu: 1,
      memory: { total: 1, used: 1 },
      disk: { total: 1, used: 1 },
      network: null,
    })),
  });
  const post = (body: string, headers: Record<string, string> = {}) => ({
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  const kinds: (() => [path: string, init?: RequestInit])[] = [
    () => [`/api/status/data?page=${slug()}`],
    () => [`/api/status/data?page=${word()}`],
    () => ["/api/status/data", { headers: { "if-none-match": `"${word()}"` } }],
    () => [`/api/status/style.css?page=${slug()}`],
    () => [`/status/${slug()}`],
    () => [`/status/${word()}`, { headers: { "accept-language": `${word()},en;q=0.${Math.floor(random() * 9)}` } }],
    () => ["/status"],
    () => [`/badge/${Math.floor(random() * 200)}.svg?type=${pick(["status", "uptime"])}&days=${word()}`],
    () => [`/badge/${Math.floor(random() * 100)}.svg?type=uptime&days=${1 + Math.floor(random() * 90)}`],
    () => [`/${word()}.js`],
    () => [`/${word()}/${word()}?${word()}=${word()}`],
    () => [`/downloads/${word()}`],
    () => [`/downloads/wakeful-linux-amd64.sha256?${word()}`],
    () => ["/install.sh", { headers: { host: `${word()}.example` } }],
    () => [`/api/${word()}/${word()}`],
    () => ["/api/openapi.json"],
    () => ["/api/docs"],
    () => ["/robots.txt"],
    () => ["/health"],
    () => ["/metrics", { headers: { authorization: `Bearer ${word()}` } }],
    () => ["/api/monitors", { headers: { authorization: `Bearer wk_${word()}` } }],
    () => ["/api/auth/me", { headers: { authorization: `Bearer ${word()}.${word()}.${word()}` } }],
    () => ["/api/auth/login", post(JSON.stringify({ username: word(), password: word() }))],
    () => ["/api/auth/register", post(JSON.stringify({ username: word() }))],
    () => [
      "/api/agents/report",
      post(report, {
        authorization: `Bearer wka_${(word() + word() + word() + word() + word() + word()).slice(0, 43).padEnd(43, "A")}`,
      }),
    ],
    () => ["/api/agents/report", post(report, { authorization: `Bearer ${word()}` })],
    () => ["/api/agents/register", post(JSON.stringify({ token: word(), machine_id: word() }))],
  ];
  return () => pick(kinds)();
};

const publish = async (url: string): Promise<string> => {
  const token = await signIn(url);
  const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
  const call = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json() as Promise<{ monitor?: { id: number } }>;
  };
  const monitors: number[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const monitor = {
      name: `Service ${index}`,
      url: `${url}/health`,
      interval: 86_400,
      timeout: 5,
      expectedStatus: 200,
    };
    monitors.push((await call("/api/monitors", { ...monitor, method: "GET" })).monitor?.id ?? 0);
  }
  await call("/api/status/config", { title: "Stranger", monitors, customCss: ".card { color: red }".repeat(500) });
  return token;
};

/**
 * 20,000 unauthenticated requests for every public address in many spellings, while a user makes requests:
 * `--requests` and `--seed` change that. Prints how much the memory grew after a warm-up of 2,000 requests.
 */
export const bench = async (args: string[]): Promise<object> => {
  const requests = option(args, "requests", 20_000);
  const seed = option(args, "seed", 1);
  const dataDir = temporaryDirectory();
  const server = await startServer(dataDir, {
    ADMIN_USERNAME: "alice",
    ADMIN_PASSWORD: PASSWORD,
    PRIVATE_TARGETS: "all",
    LOG_LEVEL: "error",
  });
  try {
    const token = await publish(server.url);
    const next = createRequests(createRandom(seed));
    const statuses: Record<string, number> = {};
    const latencies: number[] = [];
    let sent = 0;
    let done = false;
    const flood = async (until: number) => {
      while (sent < until) {
        sent++;
        const [path, init] = next();
        const response = await fetch(server.url + path, { redirect: "manual", ...init });
        await response.arrayBuffer();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      }
    };
    const floodTo = (until: number) => Promise.all(Array.from({ length: CONNECTIONS }, () => flood(until)));
    const user = (async () => {
      while (!done) {
        const begun = performance.now();
        const response = await fetch(`${server.url}/api/monitors?limit=20`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`the user's call answers ${response.status}`);
        latencies.push(performance.now() - begun);
        await Bun.sleep(20);
      }
    })();
    await floodTo(Math.min(WARM_UP, requests / 2));
    const before = residentMemory(server.pid);
    const begun = performance.now();
    const most = { memory: before };
    const watch = setInterval(() => {
      most.memory = Math.max(most.memory, residentMemory(server.pid));
    }, 200);
    await floodTo(requests);
    clearInterval(watch);
    done = true;
    await user;
    const after = residentMemory(server.pid);
    const sorted = ascending(latencies);
    return {
      requests,
      seed,
      seconds: round((performance.now() - begun) / 1000),
      statuses,
      memory_before_mb: round(before, 0),
      memory_most_mb: round(most.memory, 0),
      memory_after_mb: round(after, 0),
      grown_mb: round(after - before, 0),
      user_p50_ms: round(percentile(sorted, 0.5)),
      user_p99_ms: round(percentile(sorted, 0.99)),
    };
  } finally {
    await server.stop();
    remove(dataDir);
  }
};
