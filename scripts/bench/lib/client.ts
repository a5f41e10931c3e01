import { PASSWORD } from "./seed";
import { median, round } from "./server";

/** Registers the administrator of an empty hub. */
export const register = (url: string): Promise<Response> =>
  fetch(`${url}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", email: "alice@example.com", password: PASSWORD }),
  });

/** Signs in as the administrator. */
export const signIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: PASSWORD }),
  });
  return ((await response.json()) as { token: string }).token;
};

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
