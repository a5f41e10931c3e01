import { measureChecks } from "../checks/checks";
import { option, signIn } from "../lib/client";
import { PASSWORD } from "../lib/seed";
import { ascending, percentile, round } from "../lib/server";

const HOME = "192.0.2.1";
const address = () =>
  `198.${18 + Math.floor(Math.random() * 2)}.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** Signs in as alice from an address and returns the status. */
const attempt = async (url: string, from: string, password: string): Promise<number> => {
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ username: "alice", password }),
  });
  await response.arrayBuffer();
  return response.status;
};

const tally = (statuses: number[]) => {
  const of = (status: number) => statuses.filter((one) => one === status).length;
  return { let_in: of(200), wrong: of(401), refused: of(429), other: statuses.length - of(200) - of(401) - of(429) };
};

/** Starts an action at a fixed rate until the time is over, then waits for all of them. */
const each = async <T>(milliseconds: number, until: number, act: (turn: number) => Promise<T>): Promise<T[]> => {
  const acts: Promise<T>[] = [];
  const begun = performance.now();
  while (performance.now() < until) {
    acts.push(act(acts.length));
    await Bun.sleep(Math.max(0, begun + acts.length * milliseconds - performance.now()));
  }
  return Promise.all(acts);
};

const timed = async (url: string, token?: string): Promise<number> => {
  const begun = performance.now();
  const response = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - begun;
};

/**
 * Fifty sign-ins a second from as many addresses, half of them with the right password, while 50 checks a second run
 * and others read: lateness of checks, duration of reads, and whether alice can sign in from a trusted client.
 * `--one` sends all from one address; `--seconds` and `--rate` change duration and rate.
 */
export const bench = (args: string[]): Promise<object> => {
  const [seconds, rate] = [option(args, "seconds", 30), option(args, "rate", 50)];
  const from = args.includes("--one") ? () => "198.51.100.1" : address;
  return measureChecks({
    monitors: 1000,
    interval: 20,
    seconds: seconds + 2,
    env: { TRUST_PROXY: "1" },
    during: async (url) => {
      const token = await signIn(url);
      await attempt(url, HOME, PASSWORD);
      const until = performance.now() + seconds * 1000;
      const [flood, owner, lists, pages] = await Promise.all([
        each(1000 / rate, until, (turn) => attempt(url, from(), turn % 2 === 0 ? PASSWORD : "a wrong one")),
        each(1000, until, async () => {
          const begun = performance.now();
          return { status: await attempt(url, HOME, PASSWORD), time: performance.now() - begun };
        }),
        each(100, until, () => timed(`${url}/api/monitors`, token)),
        each(100, until, () => timed(`${url}/api/status/data`)),
      ]);
      const reading = ascending([...lists, ...pages]);
      return {
        attempts: flood.length,
        ...tally(flood),
        owner: {
          ...tally(owner.map(({ status }) => status)),
          slowest_ms: round(Math.max(...owner.map(({ time }) => time))),
        },
        reading_p99_ms: round(percentile(reading, 0.99)),
        reading_max_ms: round(reading.at(-1) ?? 0),
      };
    },
  });
};
