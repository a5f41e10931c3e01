import { PASSWORD } from "./seed";
import { median, round } from "./server";

export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Calls of the API with a token; rejected unless they succeed. */
export const callsOf =
  (url: string, token: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return response.json() as Promise<never>;
  };

const alice = { username: "alice", password: PASSWORD };

/** Registers the administrator of an empty hub. */
export const register = (url: string): Promise<unknown> =>
  callsOf(url, "")("POST", "/auth/register", { ...alice, email: "alice@example.com" });

/** Signs in as the administrator. */
export const signIn = async (url: string): Promise<string> =>
  (await callsOf(url, "")<{ token: string }>("POST", "/auth/login", alice)).token;

const REQUESTS = 50;

/** Median times of GET requests of the administrator until the last byte, by name, and the length of the first answer. */
export const timePaths = async (url: string, paths: Record<string, string>): Promise<Record<string, number>> => {
  const token = await signIn(url);
  const results: Record<string, number> = {};
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const begun = performance.now();
      const response = await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
      const { byteLength } = await response.arrayBuffer();
      results.first_bytes ??= byteLength;
      times.push(performance.now() - begun);
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    }
    results[`${name}_ms`] = round(median(times));
  }
  return results;
};

export const option = (args: string[], name: string, fallback: number): number => {
  const index = args.indexOf(`--${name}`);
  return index < 0 ? fallback : Number(args[index + 1]);
};
