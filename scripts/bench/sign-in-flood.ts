import { option } from "./lib/client";
import { PASSWORD } from "./lib/seed";
import { ascending, percentile, type Running, round, usage, withHub } from "./lib/server";

const HOME = "192.0.2.1";
/** Concurrent requests of a flood. */
const AT_ONCE = 40;
const PAUSE = 400;

const randomAddress = () =>
  `198.${18 + Math.floor(Math.random() * 2)}.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

type Answer = { status: number; token: string; id: number };

/** Posts to a call as a client at the address `from`. */
const post = async (call: string, from: string, body: object, token = ""): Promise<Answer> => {
  const response = await fetch(call, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": from,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { token?: string; user?: { id: number } };
  return { status: response.status, token: answer.token ?? "", id: answer.user?.id ?? 0 };
};

const signIn = (url: string, username: string, from: string, password = PASSWORD) =>
  post(`${url}/api/auth/login`, from, { username, password });

/** One request of a flood, made with the session of mallory, an ordinary user. */
type Flood = (url: string, mallory: Answer) => Promise<{ status: number }>;

const FLOODS: Record<string, Flood> = {
  right_password_one_address: (url) => signIn(url, "mallory", "198.51.100.66"),
  right_password_many_addresses: (url) => signIn(url, "mallory", randomAddress()),
  unauthenticated_guesses: (url) => signIn(url, "alice", randomAddress(), "a guess"),
  change_password: async (url, mallory) => {
    const answer = await post(
      `${url}/api/users/${mallory.id}/change-password`,
      "198.51.100.66",
      { currentPassword: PASSWORD, newPassword: PASSWORD },
      mallory.token,
    );
    // Each change ends the session and brings the next one.
    if (answer.token) mallory.token = answer.token;
    return answer;
  },
};

const tally = (statuses: number[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const ENV = { TRUST_PROXY: "1", LOG_LEVEL: "silent", ADMIN_USERNAME: "alice", ADMIN_PASSWORD: PASSWORD };

const measure = async ({ url, pid }: Running, flood: Flood, signIns: number): Promise<object> => {
  await post(`${url}/api/auth/register`, HOME, { username: "mallory", password: PASSWORD });
  await signIn(url, "alice", HOME);
  const mallory = await signIn(url, "mallory", "198.51.100.66");
  let isOver = false;
  const statuses: number[] = [];
  const [begun, before] = [performance.now(), usage(pid).cpu];
  const flooding = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) statuses.push((await flood(url, mallory)).status);
  });
  const owner: { status: number; time: number }[] = [];
  for (let turn = 0; turn < signIns; turn++) {
    const sent = performance.now();
    const { status } = await signIn(url, "alice", HOME);
    owner.push({ status, time: performance.now() - sent });
    await Bun.sleep(PAUSE);
  }
  const cores = (usage(pid).cpu - before) / ((performance.now() - begun) / 1000);
  isOver = true;
  await Promise.all(flooding);
  const times = ascending(owner.map(({ time }) => time));
  return {
    owner_signed_in: `${owner.filter(({ status }) => status === 200).length} of ${signIns}`,
    owner_median_ms: round(percentile(times, 0.5)),
    owner_slowest_ms: round(times.at(-1) ?? 0),
    flood: tally(statuses),
    cores: round(cores, 2),
  };
};

/**
 * Signs in the owner `--sign-ins` (25) times from her usual address while others flood the sign-in: another user with a correct
 * password, from one address and from many, unauthenticated guesses, and password changes. Each flood has its own hub.
 */
export const bench = async (args: string[]): Promise<object> => {
  const signIns = option(args, "sign-ins", 25);
  const results: Record<string, object> = {};
  for (const [name, flood] of Object.entries(FLOODS))
    results[name] = await withHub(
      () => {},
      (hub) => measure(hub, flood, signIns),
      ENV,
    );
  return results;
};
