import { register } from "./client";
import { type Postgres, startPostgres } from "./postgres";
import { SPREAD } from "./seed";
import { type Running, remove, startServer, temporaryDirectory } from "./server";

type Options = {
  monitors: number;
  /** Seconds; stored as it is, so it may be below the minimum of the API. */
  interval: number;
  /** The origins of the targets: monitor ID requests `/ID` of one of them. */
  origins: string[];
  /** Turns fsync off. */
  careless?: boolean;
  env?: Record<string, string>;
  /** Runs before there are monitors to check. */
  prepare?: (url: string) => Promise<void>;
};

/** Inserts monitors 1 to n of the first user, each due once an interval at a time of its own. */
const seedMonitors = async ({ sql }: Postgres, { monitors, interval, origins }: Options): Promise<void> => {
  const [now, length] = [Date.now(), interval * 1000];
  await sql`insert into monitors (id, user_id, team_id, name, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
    select n, 1, 1, 'Monitor ' || n, 'http', url, jsonb_build_object('url', url, 'method', 'GET', 'expected_status', 200),
      '{"headers":{},"body":""}', ${interval}::int, ${Math.min(30, interval)}::int, 0, true, ${now}::bigint, ${now}::bigint
    from (select n, (${JSON.stringify(origins)}::text::jsonb ->> (n % ${origins.length}::int)) || '/' || n as url
      from generate_series(1, ${monitors}::int) as n) as numbered`;
  await sql`insert into monitor_states (monitor_id, next_check_at, revision, status, last_checked_at)
    select n, ${now}::bigint - (${now}::bigint - n * ${SPREAD}::int % ${length}::int) % ${length}::int + ${length}::int, 0, 'up', ${now - 30_000}::bigint
    from generate_series(1, ${monitors}::int) as n`;
  await sql`select setval(pg_get_serial_sequence('monitors', 'id'), ${monitors})`;
  await sql`analyze`;
};

/** A PostgreSQL with the monitors of alice, one hub on it, and any number of further ones. */
export const startCluster = async (options: Options) => {
  const [postgres, dataDir] = [startPostgres(options), temporaryDirectory()];
  const start = (): Promise<Running> =>
    startServer(dataDir, { DATABASE_URL: postgres.url, LOG_LEVEL: "error", ...options.env });
  const first = await start();
  await register(first.url);
  await options.prepare?.(first.url);
  await seedMonitors(postgres, options);
  return {
    postgres,
    first,
    start,
    /** Waits until an instance has claimed checks that are not made yet, and returns the instance with the most. */
    busiest: async (all: Running[]): Promise<Running> => {
      const names = await Promise.all(
        all.map(async ({ url }) => ((await (await fetch(`${url}/health`)).json()) as { instance: string }).instance),
      );
      for (;;) {
        const [row] = await postgres.sql`select claimed_by as instance from monitor_states
          where claimed_by is not null group by 1 order by count(*) desc limit 1`;
        const instance = all[names.indexOf(row?.instance)];
        if (instance) return instance;
        await Bun.sleep(5);
      }
    },
    /** Removes the database; every hub has to be stopped before. */
    end: async (): Promise<void> => {
      await postgres.sql.close();
      postgres.remove();
      remove(dataDir);
    },
  };
};
