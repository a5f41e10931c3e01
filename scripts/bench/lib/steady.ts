import { enroll } from "../faults/reports";
import { signIn } from "./client";
import { startCountingTarget } from "./hits";
import { callsOf } from "./provider";
import { startReporter } from "./reporting";
import { PASSWORD } from "./seed";
import { residentMemory, startServer, usage } from "./server";

const INTERVAL = 60;
const AT_ONCE = 20;

const inBatches = async <T>(count: number, make: (first: number, size: number) => Promise<T[]>): Promise<T[]> => {
  const made: T[] = [];
  while (made.length < count) made.push(...(await make(made.length, Math.min(AT_ONCE, count - made.length))));
  return made;
};

type Load = {
  monitors: number;
  /** Agents that report once a minute. */
  agents: number;
  /** Whether they report everything. */
  wide?: boolean;
  /** Seconds, rounded up to whole minutes, each of which has all checks. Starts after a minute in which everything is new. */
  seconds: number;
};

/**
 * Measures a hub with monitors and agents at 60 s and no page open. Everything is created through the API, so that the
 * executable may be an older build.
 */
export const measureSteady = async (dataDir: string, { monitors, agents, wide = false, ...options }: Load) => {
  const seconds = Math.ceil(options.seconds / INTERVAL) * INTERVAL;
  const target = startCountingTarget(monitors);
  const server = await startServer(dataDir);
  const { url, pid } = server;
  const account = { username: "alice", email: "alice@example.com", password: PASSWORD };
  await callsOf(url, "")("POST", "/auth/register", account);
  const token = await signIn(url);
  const call = callsOf(url, token);
  const create = (number: number) =>
    call("POST", "/monitors", {
      name: `Monitor ${number}`,
      url: `${target.origins[number % target.origins.length]}/${number}`,
      interval: INTERVAL,
      timeout: 30,
      expectedStatus: 200,
    });
  await inBatches(monitors, (first, size) =>
    Promise.all(Array.from({ length: size }, (_, index) => create(first + index + 1))),
  );
  const enrolled = await inBatches(agents, (first, size) => enroll(url, token, size, first));
  const keys = enrolled.map(({ key }) => key);
  const report = (length: number) => startReporter({ url, keys, interval: INTERVAL, seconds: length, wide });
  await Promise.all([report(INTERVAL + 5), Bun.sleep((INTERVAL + 5) * 1000)]);
  target.watch(0);
  const [begun, from, before] = [performance.now(), Date.now(), usage(pid)];
  const [{ accepted }] = await Promise.all([report(seconds), Bun.sleep(seconds * 1000)]);
  const [after, { requests }] = [usage(pid), target.read()];
  const memory = residentMemory(pid);
  const elapsed = (performance.now() - begun) / 1000;
  const stop = async (): Promise<void> => {
    await server.stop();
    target.stop();
  };
  return {
    from,
    elapsed,
    checks: requests,
    reports: accepted,
    cpu: after.cpu - before.cpu,
    written: after.written - before.written,
    passed: after.passed - before.passed,
    memory,
    stop,
  };
};
