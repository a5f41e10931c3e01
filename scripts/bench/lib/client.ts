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

/** Median time of sequential requests until the last byte, in milliseconds. */
export const timeRequests = async (
  url: string,
  token: string,
  requests: number,
): Promise<{ ms: number; bytes: number }> => {
  const times: number[] = [];
  let bytes = 0;
  for (let request = 0; request < requests; request++) {
    const begun = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    bytes = (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - begun);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  }
  return { ms: round(median(times)), bytes };
};

export const option = (args: string[], name: string, fallback: number): number => {
  const index = args.indexOf(`--${name}`);
  return index < 0 ? fallback : Number(args[index + 1]);
};
