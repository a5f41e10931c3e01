import { option, timePaths } from "./lib/client";
import { seed } from "./lib/seed";
import { seedAgents } from "./lib/seed-agents";
import { withHub } from "./lib/server";

const RANGES = ["24h", "7d", "30d", "90d", "1y"];

/** The pages of the list as the web interface requests them: in each order, further down, and of a search. */
const pagesOf = (monitors: number): Record<string, string> => {
  const page = "monitors?fields=compact&limit=100";
  return {
    ...Object.fromEntries(
      ["name", "status", "uptime", "response_time"].map((sort) => [`page_by_${sort}`, `${page}&sort=${sort}`]),
    ),
    page_middle: `${page}&sort=name&offset=${Math.floor(monitors / 2)}`,
    page_search: `${page}&sort=name&search=99`,
  };
};

const detailOf = (monitor: number): Record<string, string> => ({
  monitor: `monitors/${monitor}`,
  ...Object.fromEntries(RANGES.map((range) => [`chart_${range}`, `monitors/${monitor}/series?range=${range}`])),
  checks: `monitors/${monitor}/checks?limit=100`,
});

/**
 * Answers about 1,000 monitors with 30 days of checks and a year of sums and as many servers with as much, then about
 * `--monitors` (100,000) with a day of sums.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [few, many] = [option(args, "few", 1000), option(args, "monitors", 100_000)];
  const options = { interval: 3600, urls: ["http://127.0.0.1:9/"] };
  return {
    few,
    of_few_monitors: await withHub(
      (dataDir) => seed(dataDir, { ...options, monitors: few, interval: 60, historyDays: 30, sumDays: 365 }),
      ({ url }) =>
        timePaths(url, {
          list: "monitors?limit=1000",
          ...pagesOf(few),
          ...detailOf(Math.ceil(few / 2)),
          dashboard: "dashboard",
        }),
    ),
    of_few_servers: await withHub(
      (dataDir) => seedAgents(dataDir, { agents: few, interval: 60, historyDays: 365 }),
      ({ url }) =>
        timePaths(url, {
          list: "agents",
          server: `agents/${Math.ceil(few / 2)}`,
          ...Object.fromEntries(
            ["1h", ...RANGES.filter((range) => range !== "90d")].map((range) => [
              `chart_${range}`,
              `agents/${Math.ceil(few / 2)}/metrics?range=${range}`,
            ]),
          ),
        }),
    ),
    many,
    of_many_monitors: await withHub(
      (dataDir) => seed(dataDir, { ...options, monitors: many, sumDays: 1 }),
      ({ url }) => timePaths(url, { ...pagesOf(many), monitor: `monitors/${many / 2}`, dashboard: "dashboard" }),
    ),
  };
};
