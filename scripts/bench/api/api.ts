import { signIn, timeRequests } from "../lib/client";
import { seed } from "../lib/seed";
import { remove, startServer, startTargets, temporaryDirectory } from "../lib/server";

/** Answers over 1,000 monitors with 30 days of checks and a year of sums. */
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
  return { monitors: 1000, history_days: 30, sum_days: 365, ...results };
};
