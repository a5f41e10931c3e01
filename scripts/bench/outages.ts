import { sql } from "drizzle-orm";
import { readConfig } from "../../src/core/config";
import { openDatabase } from "../../src/db/open";
import { DAY, MINUTE } from "../../src/shared/limits";
import { option, timePaths } from "./lib/client";
import { numbers, seed } from "./lib/seed";
import { withHub } from "./lib/server";

/** Outages of 1,000 monitors over a year, each of 20 minutes. */
const seedOutages = async (dataDir: string, count: number): Promise<void> => {
  await seed(dataDir, { monitors: 1000, interval: 3600, urls: ["http://127.0.0.1:9/"] });
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const from = Date.now() - 365 * DAY;
  const start = sql`${from} + n * ${Math.floor((365 * DAY) / count)}`;
  await db.atomically(() => [
    sql`with recursive ${numbers("ids", 1, count + 1)}
      insert into outages (user_id, team_id, target_type, target_id, kind, started_at, ended_at, error_code)
      select 1, 1, 'monitor', 1 + n % 1000, 'down', ${start}, ${start} + ${20 * MINUTE}, 'timeout' from ids`,
  ]);
  await db.close();
};

/** Answers about `--outages` (100,000): the first page, filtered pages, the summary and a page of half a year ago. */
export const bench = async (args: string[]): Promise<object> => {
  const count = option(args, "outages", 100_000);
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
  const paths = {
    first_page: "outages",
    last_month: `outages?from=${ago(60)}&to=${ago(30)}&open=0`,
    half_a_year_ago: `outages?from=${ago(182)}&to=${ago(181)}`,
    of_one_monitor: "outages?target=monitor:500",
    of_no_kind: "outages?kind=offline",
    summary_of_month: `outages/summary?from=${ago(30)}&to=${ago(0)}`,
    summary_of_year: `outages/summary?from=${ago(365)}&to=${ago(0)}`,
  };
  return withHub(
    (dataDir) => seedOutages(dataDir, count),
    async ({ url }) => ({ outages: count, ...(await timePaths(url, paths)) }),
  );
};
