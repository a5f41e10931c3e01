import { SQL } from "bun";
import { openWatchdogPool, TIMEOUTS } from "../../db/postgres/watchdog-pool";

type Pool = ReturnType<typeof openWatchdogPool>;

/** Lends a pool to one test. After its `close`, which waits for its queries, it refuses new ones. */
const lendPool = (pool: Pool): Pool => {
  const running = new Set<Promise<unknown>>();
  let closed = false;
  const track = <T extends Promise<unknown>>(query: T): T => {
    running.add(query);
    const end = () => void running.delete(query);
    query.then(end, end);
    return query;
  };
  const refuse = () => Promise.reject(new Error("the database of this test is closed"));
  return {
    unsafe: (text, values) => {
      if (!closed) return track(pool.unsafe(text, values));
      const refusal = refuse();
      return Object.assign(refusal, { values: () => refusal });
    },
    begin: (work) => (closed ? refuse() : track(pool.begin(work))),
    close: async () => {
      closed = true;
      await Promise.allSettled(running);
    },
  };
};

/**
 * Connections to a database that stay open across tests, because a new connection has to read the tables' descriptions first.
 * `cleaner` empties the database; its name is the name of the pool.
 */
export const openConnections = async (url: string) => {
  const pool = openWatchdogPool(url, TIMEOUTS);
  const [row] = (await pool.unsafe("select current_setting('application_name') as name")) as { name: string }[];
  const application = row?.name ?? "";
  const cleaner = new SQL({ url, max: 1, connection: { application_name: application } });
  return {
    application,
    cleaner,
    lend: () => lendPool(pool),
    close: async () => {
      await pool.close();
      await cleaner.close();
    },
  };
};

export type Connections = Awaited<ReturnType<typeof openConnections>>;
