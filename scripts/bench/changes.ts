import { SQL } from "bun";
import { DAY } from "../../src/shared/limits";
import { option, register, timePaths } from "./lib/client";
import { startPostgres } from "./lib/postgres";
import { remove, startServer, temporaryDirectory } from "./lib/server";

const TEAMS = 200;
const MONITORS = 50 * TEAMS;
/** Calls that change one monitor, and those that change a hundred, alternate after a thousand changes. */
const BATCH = 100;

/** Changes of the last 90 days in teams of alice, each by a user of its own, in SQL that both engines understand. */
const seedChanges = async (sql: SQL, count: number): Promise<void> => {
  const from = Date.now() - 90 * DAY;
  const [team, monitor] = [`1 + n % ${TEAMS}`, `1 + n % ${MONITORS}`];
  const numbers = (last: number) =>
    `with recursive ids(n) as (select cast(1 as bigint) union all select n + 1 from ids where n < ${last})`;
  await sql.unsafe(
    `insert into teams (id, name, created_at) ${numbers(TEAMS)} select n, 'Team', 0 from ids where n > 1`,
  );
  await sql.unsafe(
    `insert into members (team_id, user_id, role) ${numbers(TEAMS)} select n, 1, 'owner' from ids where n > 1`,
  );
  await sql.unsafe(`insert into security_log (id, at, kind, user_id, username, address, detail, team_id, action, object_type,
      object_id, object_name, fields, batch, objects)
    ${numbers(count)}, changes as (
      select n, case when n % 2000 < 1000 then 1 else ${BATCH} end as size, n % ${BATCH} as place from ids
    )
    select 10 + n, ${from} + n * ${Math.floor((90 * DAY) / count)}, 'change', ${team}, 'user ' || (${team}), '192.0.2.1', '', ${team},
      'changed', case when n % 1000 = 7 then 'policy' when n % 10 = 1 then 'channel' else 'monitor' end, ${monitor},
      'Monitor ' || (${monitor}), '{"interval":[60,300],"name":["Shop","Shop 2"]}',
      case when size > 1 and place > 0 then 10 + n - place end, case when size = 1 or place = 0 then size end
    from changes`);
};

const pathsOf = (count: number): Record<string, string> => {
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
  return {
    first_page: "audit",
    page_in_the_middle: `audit?before=${Math.floor(count / 2)}`,
    of_a_week: `audit?from=${ago(60)}&to=${ago(53)}`,
    of_one_monitor: "audit?object=monitor:500",
    of_monitors: "audit?object=monitor",
    of_policies: "audit?object=policy",
    of_a_kind_without_changes: "audit?object=wall",
    of_one_user: "audit?user=user+7",
    of_a_user_without_changes: "audit?user=carol",
    of_one_team: "audit?team=7",
    of_one_user_in_one_team: "audit?team=7&user=user+7",
    of_one_user_in_another_team: "audit?team=7&user=user+8",
    of_policies_in_one_team: "audit?team=8&object=policy",
  };
};

type Store = { url: string; env: Record<string, string> };

/** Answers to an administrator who sees every team, and to a member of 200 teams. */
const measure = async (count: number, { url, env }: Store, dataDir: string) => {
  const withHub = async <T>(sees: string, run: (hub: { url: string }) => Promise<T>): Promise<T> => {
    const hub = await startServer(dataDir, { ...env, ADMIN_SEES: sees });
    return run(hub).finally(hub.stop);
  };
  await withHub("all", (hub) => register(hub.url));
  const sql = new SQL(url);
  await seedChanges(sql, count);
  // As PostgreSQL does by itself some time later.
  if (env.DATABASE_URL) await sql.unsafe("analyze");
  await sql.close();
  const time = (hub: { url: string }) => timePaths(hub.url, pathsOf(count));
  return { sees_all: await withHub("all", time), sees_own_teams: await withHub("teams", time) };
};

/** Pages of the log of `--changes` (1,000,000), on SQLite and on PostgreSQL. */
export const bench = async (args: string[]): Promise<object> => {
  const count = option(args, "changes", 1_000_000);
  const [dataDir, postgres] = [temporaryDirectory(), startPostgres({ careless: true })];
  try {
    return {
      changes: count,
      sqlite: await measure(count, { url: `sqlite://${dataDir}/wakeful.db`, env: {} }, dataDir),
      postgres: await measure(count, { url: postgres.url, env: { DATABASE_URL: postgres.url } }, dataDir),
    };
  } finally {
    await postgres.sql.close();
    postgres.remove();
    remove(dataDir);
  }
};
