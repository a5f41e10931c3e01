import { option, signIn, timeRequests } from "../lib/client";
import { seedAgents } from "../lib/seed-agents";
import { remove, startServer, temporaryDirectory } from "../lib/server";

const RANGES = ["1h", "24h", "7d", "30d", "1y"];

/** Answers over 1,000 agents that have reported each minute for a year. */
export const bench = async (args: string[]): Promise<object> => {
  const agents = option(args, "agents", 1000);
  const dataDir = temporaryDirectory();
  await seedAgents(dataDir, { agents, interval: 60, historyDays: 365 });
  const server = await startServer(dataDir);
  const token = await signIn(server.url);
  const results: Record<string, number> = {};
  const list = await timeRequests(`${server.url}/api/agents`, token, 50);
  results.list_ms = list.ms;
  results.list_bytes = list.bytes;
  const path = `${server.url}/api/agents/${Math.ceil(agents / 2)}`;
  results.detail_ms = (await timeRequests(path, token, 50)).ms;
  for (const range of RANGES) {
    const url = `${path}/metrics?range=${range}`;
    results[`metrics_${range}_ms`] = (await timeRequests(url, token, 50)).ms;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    results[`metrics_${range}_points`] = ((await response.json()) as { points: unknown[] }).points.length;
  }
  results.dashboard_ms = (await timeRequests(`${server.url}/api/dashboard`, token, 50)).ms;
  await server.stop();
  remove(dataDir);
  return { agents, history_days: 365, ...results };
};
