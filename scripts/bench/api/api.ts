import { signIn, timeRequests } from "../lib/client";
import { seed } from "../lib/seed";
import { remove, startServer, startTargets, temporaryDirectory } from "../lib/server";

/** Times a list's first page as the page of the hub loads it, in each order, and with a search. */
const timeLists = async (url: string, token: string): Promise<Record<string, number>> => {
  const results: Record<string, number> = {};
  const page = `${url}/api/monitors?fields=compact&limit=100`;
  for (const sort of ["name", "status", "uptime", "response_time"]) {
    const { ms, bytes } = await timeRequests(`${page}&sort=${sort}`, token, 50);
    results[`page_by_${sort}_ms`] = ms;
    results.page_bytes = bytes;
  }
  results.page_middle_ms = (await timeRequests(`${page}&sort=name&offset=500`, token, 50)).ms;
  results.page_search_ms = (await timeRequests(`${page}&sort=name&search=99`, token, 50)).ms;
  return results;
};

/** Lists of 10,000 monitors. */
const benchMany = async (): Promise<Record<string, number>> => {
  const dataDir = temporaryDirectory();
  const targets = await startTargets({ ports: 8 });
  await seed(dataDir, { monitors: 10_000, interval: 3600, urls: targets.urls, sumDays: 40 });
  const server = await startServer(dataDir);
  const results = await timeLists(server.url, await signIn(server.url));
  await server.stop();
  targets.stop();
  remove(dataDir);
  return results;
};

/** Answers over 1,000 monitors with 30 days of checks and a year of sums, and lists of 10,000 monitors. */
export const bench = async (): Promise<object> => {
  const dataDir = temporaryDirectory();
  const targets = await startTargets({ ports: 8 });
  await seed(dataDir, { monitors: 1000, interval: 60, urls: targets.urls, historyDays: 30, sumDays: 365 });
  const server = await startServer(dataDir);
  const token = await signIn(server.url);
  const results: Record<string, number> = {};
  const list = await timeRequests(`${server.url}/api/monitors`, token, 50);
  results.list_ms = list.ms;
  results.list_bytes = list.bytes;
  Object.assign(results, await timeLists(server.url, token));
  results.detail_ms = (await timeRequests(`${server.url}/api/monitors/500`, token, 50)).ms;
  for (const range of ["24h", "7d", "30d", "90d", "1y"]) {
    results[`series_${range}_ms`] = (
      await timeRequests(`${server.url}/api/monitors/500/series?range=${range}`, token, 50)
    ).ms;
  }
  results.checks_page_ms = (await timeRequests(`${server.url}/api/monitors/500/checks?limit=100`, token, 50)).ms;
  results.dashboard_ms = (await timeRequests(`${server.url}/api/dashboard`, token, 50)).ms;
  await server.stop();
  targets.stop();
  remove(dataDir);
  return { monitors: 1000, history_days: 30, sum_days: 365, ...results, of_10000_monitors: await benchMany() };
};
