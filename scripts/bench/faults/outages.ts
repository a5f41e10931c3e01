import type { Postgres } from "../lib/postgres";

/** Each takes the database away for so many milliseconds, and ends when it is there again. */
export const outages = (postgres: Postgres): Record<string, (milliseconds: number) => Promise<void>> => ({
  crash: async (milliseconds) => {
    postgres.crash();
    await Bun.sleep(milliseconds);
    postgres.start();
  },
  cut: async (milliseconds) => {
    for (const begun = performance.now(); performance.now() - begun < milliseconds; await Bun.sleep(100))
      await postgres.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  },
  freeze: async (milliseconds) => {
    postgres.freeze();
    await Bun.sleep(milliseconds);
    postgres.thaw();
  },
});
