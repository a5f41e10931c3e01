import { PASSWORD, seed } from "./seed";
import { median, remove, round, startServer, startTargets, temporaryDirectory } from "./server";

/** Milliseconds until the last byte of the answer, over so many requests one after the other: their median. */
const time = async (url: string, token: string, requests: number): Promise<{ ms: number; bytes: number }> => {
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

/** Answers over 1,000 monitors with 30 days of checks and a year of sums. */
export const bench = async (): Promise<object> => {
  const dataDir = temporaryDirectory();
  const targets = await startTargets({ ports: 8 });
  await seed(dataDir, { monitors: 1000, interval: 60, urls: targets.urls, historyDays: 30, sumDays: 365 });
  const server = await startServer(dataDir);
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: PASSWORD }),
  });
  const { token } = (await login.json()) as { token: string };
  const results: Record<string, number> = {};
  const list = await time(`${server.url}/api/monitors`, token, 50);
  results.list_ms = list.ms;
  results.list_bytes = list.bytes;
  results.detail_ms = (await time(`${server.url}/api/monitors/500`, token, 50)).ms;
  for (const range of ["24h", "7d", "30d", "90d", "1y"]) {
    results[`series_${range}_ms`] = (await time(`${server.url}/api/monitors/500/series?range=${range}`, token, 50)).ms;
  }
  results.checks_page_ms = (await time(`${server.url}/api/monitors/500/checks?limit=100`, token, 50)).ms;
  results.dashboard_ms = (await time(`${server.url}/api/dashboard`, token, 50)).ms;
  await server.stop();
  targets.stop();
  remove(dataDir);
  return { monitors: 1000, history_days: 30, sum_days: 365, ...results };
};
