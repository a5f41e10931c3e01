import { option, signIn } from "../lib/client";
import { remove, startServer, temporaryDirectory } from "../lib/server";
import { auditStored, countAnswered } from "./audit";
import { measureRequests } from "./connections";
import { prepare } from "./installation";
import { createAnswered, writeOn } from "./writers";

const MONITORS = 60;

/**
 * Each time the console waits for its disk it waits `--delay` milliseconds longer (200), for `--seconds`: slower, and
 * nothing lost. Needs strace.
 */
export const fault = async (args: string[]) => {
  const [delay, seconds] = [option(args, "delay", 200), option(args, "seconds", 20)];
  const dataDir = temporaryDirectory();
  const { targets, keys } = await prepare(dataDir, MONITORS);
  const answered = createAnswered();
  const server = await startServer(dataDir);
  const token = await signIn(server.url);
  const calls = "fsync,fdatasync";
  const tracer = Bun.spawn(
    [
      "strace",
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      `trace=${calls}`,
      "-e",
      `inject=${calls}:delay_exit=${delay * 1000}`,
      "-p",
      String(server.pid),
    ],
    { stdout: "ignore", stderr: "ignore" },
  );
  await Bun.sleep(500);
  const attached = tracer.exitCode === null;
  const writing = new AbortController();
  const written = writeOn({ url: server.url, token, keys, monitors: MONITORS }, answered, writing.signal, true);
  const reads = await measureRequests(server.url, token, ["/api/monitors", "/api/dashboard"], seconds);
  writing.abort();
  await written;
  tracer.kill("SIGINT");
  await tracer.exited;
  await server.stop();
  targets.stop();
  const losses = await auditStored(dataDir, answered);
  remove(dataDir);
  const refused = Object.values(answered.refused).reduce((sum, count) => sum + count, 0);
  return {
    delay,
    seconds,
    answered: countAnswered(answered),
    reads,
    losses: { ...losses, not_attached: Number(!attached), refused, reads_failed: reads.failures },
  };
};
