import { startCountingTarget } from "./hits";
import { type Postgres, startPostgres } from "./postgres";
import { PASSWORD } from "./seed";
import { type Running, remove, startServer, temporaryDirectory } from "./server";
import { SPREAD } from "./spread";

type Options = {
  monitors: number;
  /** Seconds; stored as it is, so it may be below what a person can set. */
  interval: number;
  careless?: boolean;
};

/** Inserts monitors 1 to n of the first user, due at their own times from now on; each requests `/ID` of a target. */
export const seedMonitors = async (
  { sql }: Pick<Postgres, "sql">,
  { monitors, interval }: Options,
  origins: string[],
): Promise<void> => {
  const [now, length] = [Date.now(), interval * 1000];
  await sql`insert into monitors (id, user_id, name, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
    select n, 1, 'Monitor ' || n, 'http', url, jsonb_build_object('url', url, 'method', 'GET', 'expected_status', 200),
      '{"headers":{},"body":""}', ${interval}::int, ${Math.min(30, interval)}::int, 0, true, ${now}::bigint, ${now}::bigint
    from (select n, (${JSON.stringify(origins)}::text::jsonb ->> (n % ${origins.length}::int)) || '/' || n as url
      from generate_series(1, ${monitors}::int) as n) as numbered`;
  await sql`insert into monitor_states (monitor_id, next_check_at, revision, status, last_checked_at)
    select n, ${now}::bigint - (${now}::bigint - n * ${SPREAD}::int % ${length}::int) % ${length}::int + ${length}::int, 0, 'up', ${now - 30_000}::bigint
    from generate_series(1, ${monitors}::int) as n`;
  await sql`analyze`;
};

/** One PostgreSQL with monitors, and any number of hub instances. */
export const startCluster = async (options: Options) => {
  const [postgres, dataDir] = [startPostgres(options), temporaryDirectory()];
  const target = startCountingTarget(options.monitors);
  const start = (env: Record<string, string> = {}): Promise<Running> =>
    startServer(dataDir, { DATABASE_URL: postgres.url, LOG_LEVEL: "error", ...env });
  const first = await start();
  await fetch(`${first.url}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", email: "alice@example.com", password: PASSWORD }),
  });
  await seedMonitors(postgres, options, target.origins);
  return {
    postgres,
    target,
    first,
    start,
    /** Waits until one of the instances has claimed checks that it has not made yet, and returns the one with most. */
    busiest: async (all: Running[]): Promise<Running> => {
      const names = await Promise.all(
        all.map(async ({ url }) => ((await (await fetch(`${url}/health`)).json()) as { instance: string }).instance),
      );
      for (;;) {
        const [row] = await postgres.sql`select claimed_by as instance from monitor_states
          where claimed_by is not null group by 1 order by count(*) desc limit 1`;
        const found = all[names.indexOf(row?.instance)];
        if (found) return found;
        await Bun.sleep(5);
      }
    },
    end: async (): Promise<void> => {
      target.stop();
      await postgres.sql.close();
      postgres.remove();
      remove(dataDir);
    },
  };
};
