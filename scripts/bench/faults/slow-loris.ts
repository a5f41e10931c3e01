import { option, signIn } from "../lib/client";
import { remove, residentMemory, round, startServer, temporaryDirectory } from "../lib/server";
import { measureRequests, openConnections } from "./connections";
import { prepare } from "./installation";

const PATHS = ["/health", "/api/monitors", "/api/dashboard"];
const HEAD = "POST /api/auth/login HTTP/1.1\r\nHost: console\r\nContent-Type: application/json\r\n";

/**
 * `--connections` whose requests never end, half of them in their headers and half in their body, a byte every half
 * second for `--seconds`: other clients must still be answered. Reports how many slow connections were closed.
 */
export const fault = async (args: string[]) => {
  const [count, seconds] = [option(args, "connections", 1000), option(args, "seconds", 40)];
  const dataDir = temporaryDirectory();
  const { targets } = await prepare(dataDir, 20);
  const server = await startServer(dataDir);
  const token = await signIn(server.url);
  const before = residentMemory(server.pid);
  const headers = await openConnections(server.url, count / 2, `${HEAD}X-More: `);
  const bodies = await openConnections(server.url, count / 2, `${HEAD}Content-Length: 1000\r\n\r\n{"username": "`);
  const dripping = setInterval(() => {
    headers.drip("a");
    bodies.drip("a");
  }, 500);
  const answers = await measureRequests(server.url, token, PATHS, seconds);
  clearInterval(dripping);
  const still = { headers_open: headers.open(), bodies_open: bodies.open() };
  const memory = residentMemory(server.pid);
  headers.close();
  bodies.close();
  await server.stop();
  targets.stop();
  remove(dataDir);
  return {
    connections: count,
    seconds,
    ...still,
    kilobytes_each: round(((memory - before) * 1024) / count),
    answers,
    losses: { failures: answers.failures, slower_than_1_s: Number(answers.max_ms > 1000) },
  };
};
