import { connect, type Socket } from "bun";
import { option, signIn } from "../lib/client";
import { prepare } from "../lib/installation";
import { openFiles, type Running, residentMemory, round, summarize, withHub } from "../lib/server";

const PATHS = ["/health", "/api/monitors", "/api/dashboard"];
const HEAD = "POST /api/auth/login HTTP/1.1\r\nHost: console\r\nContent-Type: application/json\r\n";

/** Opens connections to the hub that send `start` only. `open` counts those that it has not closed. */
const openConnections = async (url: string, count: number, start = "") => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let refused = 0;
  const one = () =>
    connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => {
          sockets.add(socket);
          if (start) socket.write(start);
        },
        data: () => {},
        close: (socket) => void sockets.delete(socket),
        error: () => {},
      },
    }).catch(() => refused++);
  for (let begun = 0; begun < count; begun += 200)
    await Promise.all(Array.from({ length: Math.min(200, count - begun) }, one));
  return {
    open: () => sockets.size,
    refused: () => refused,
    sendMore: (text: string): void => {
      for (const socket of sockets) socket.write(text);
    },
    close: (): void => {
      for (const socket of sockets) socket.end();
    },
  };
};

/** Requests some paths in turn and measures the answers; any status but 200 is a failure. */
const measureRequests = async (url: string, token: string, seconds: number) => {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + seconds * 1000;
  for (let index = 0; performance.now() < end; index++) {
    const begun = performance.now();
    const status = await fetch(url + PATHS[index % PATHS.length], {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    );
    times.push(performance.now() - begun);
    if (status !== 200) failures++;
    await Bun.sleep(20);
  }
  return { requests: times.length, failures, ...summarize("", times) };
};

const measureIdle = async ({ url, pid }: Running, token: string, count: number, seconds: number) => {
  const before = residentMemory(pid);
  const idle = await openConnections(url, count);
  const [opened, files] = [idle.open(), openFiles(pid)];
  const answers = await measureRequests(url, token, seconds);
  const kilobytes_each = round(((residentMemory(pid) - before) * 1024) / count);
  idle.close();
  return { connections: count, opened, refused: idle.refused(), files, kilobytes_each, answers };
};

/** Half of the requests never end their headers, the others their body; each sends a byte every half second. */
const measureEndless = async ({ url, pid }: Running, token: string, count: number, seconds: number) => {
  const before = residentMemory(pid);
  const headers = await openConnections(url, count / 2, `${HEAD}X-More: `);
  const bodies = await openConnections(url, count / 2, `${HEAD}Content-Length: 1000\r\n\r\n{"username": "`);
  const sending = setInterval(() => {
    headers.sendMore("a");
    bodies.sendMore("a");
  }, 500);
  const answers = await measureRequests(url, token, seconds);
  clearInterval(sending);
  const open = { headers_open: headers.open(), bodies_open: bodies.open() };
  const kilobytes_each = round(((residentMemory(pid) - before) * 1024) / count);
  headers.close();
  bodies.close();
  return { connections: count, seconds, ...open, kilobytes_each, answers };
};

/**
 * Opens `--idle` (10,000) connections that send nothing for `--idle-seconds` (20), then `--endless` (1,000) whose requests never
 * end, for `--seconds` (40): other clients must be answered during both.
 */
export const bench = (args: string[]) =>
  withHub(
    (dataDir) => prepare(dataDir, 20),
    async (hub) => {
      const token = await signIn(hub.url);
      const idle = await measureIdle(hub, token, option(args, "idle", 10_000), option(args, "idle-seconds", 20));
      const endless = await measureEndless(hub, token, option(args, "endless", 1000), option(args, "seconds", 40));
      return {
        idle,
        endless,
        losses: {
          not_opened: idle.refused,
          failures: idle.answers.failures + endless.answers.failures,
          slower_than_1_s: Number(Math.max(idle.answers.max_ms, endless.answers.max_ms) > 1000),
        },
      };
    },
  );
