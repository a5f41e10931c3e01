import { option, signIn } from "../lib/client";
import { openFiles, remove, residentMemory, round, startServer, temporaryDirectory } from "../lib/server";
import { measureRequests, openConnections } from "./connections";
import { prepare } from "./installation";

const PATHS = ["/health", "/api/monitors", "/api/dashboard"];

/** `--connections` idle connections (10,000) for `--seconds`: other clients must still be answered. */
export const fault = async (args: string[]) => {
  const [count, seconds] = [option(args, "connections", 10_000), option(args, "seconds", 20)];
  const dataDir = temporaryDirectory();
  const { targets } = await prepare(dataDir, 20);
  const server = await startServer(dataDir);
  const token = await signIn(server.url);
  const before = residentMemory(server.pid);
  const idle = await openConnections(server.url, count);
  const [opened, files] = [idle.open(), openFiles(server.pid)];
  const answers = await measureRequests(server.url, token, PATHS, seconds);
  const memory = residentMemory(server.pid);
  idle.close();
  await server.stop();
  targets.stop();
  remove(dataDir);
  return {
    connections: count,
    opened,
    files,
    still_open: idle.open(),
    kilobytes_each: round(((memory - before) * 1024) / count),
    answers,
    losses: { not_opened: idle.refused(), failures: answers.failures, slower_than_1_s: Number(answers.max_ms > 1000) },
  };
};
