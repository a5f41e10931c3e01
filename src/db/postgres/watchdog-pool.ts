import type { SQL } from "bun";
import { createCoalescedRunner } from "../../lib/concurrency";
import { systemClock } from "../../lib/time";
import { isConnectionLost, isReadOnly, isUnavailable, noAnswer, wasIdle, within } from "../errors";
import { openClient } from "./client";

/** A PostgreSQL server, and the application name of all connections that this process has to it. */
type Server = { url: string; connection: { application_name: string } };

/** Runs one query on a separate connection. @throws when there is no answer within the timeout, in milliseconds */
const querySide = async (
  server: Server,
  timeout: number,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> => {
  const client = openClient({ ...server, max: 1, connectionTimeout: timeout / 1000 });
  try {
    return await within(timeout, client.unsafe(text, values));
  } finally {
    await client.close({ timeout: 0 });
  }
};

/**
 * What the server's backends for this process do: at least one is `busy`, all are `idle`, or the server is
 * `unreachable`. A server that answers without showing its backends counts as busy.
 */
const backendState = async (server: Server, timeout: number): Promise<"busy" | "idle" | "unreachable"> => {
  try {
    const [row] = await querySide(
      server,
      timeout,
      `select count(*) filter (where pid = pg_backend_pid()) as seen,
        count(*) filter (where pid <> pg_backend_pid() and coalesce(state, '') not like 'idle%') as busy
        from pg_stat_activity where application_name = $1`,
      [server.connection.application_name],
    );
    return Number(row?.seen) === 1 && Number(row?.busy) === 0 ? "idle" : "busy";
  } catch (error) {
    return isConnectionLost(error) ? "unreachable" : "busy";
  }
};

/**
 * Terminates the backends of connections that were dropped. Otherwise they would hold their locks and their places
 * among the server's connections until the server's TCP times out, which may take hours.
 * @throws when the server is not available
 */
const terminateBackends = async (server: Server, timeout: number): Promise<void> => {
  try {
    await querySide(
      server,
      timeout,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and pid <> pg_backend_pid()`,
      [server.connection.application_name],
    );
  } catch (error) {
    // A server without this function is available too.
    if (isUnavailable(error)) throw error;
  }
};

/** Whether a new connection can write. */
const isWritable = async (server: Server, timeout: number): Promise<boolean> => {
  const rows = querySide(server, timeout, "select current_setting('transaction_read_only') as read_only");
  return rows.then(
    ([row]) => row?.read_only === "off",
    () => false,
  );
};

/** Milliseconds until an unanswered query has the server inspected, and the timeout of an inspection. */
export type Timeouts = { query: number; inspection: number };

export const TIMEOUTS: Timeouts = { query: 4000, inspection: 4000 };

/** The query timeout is counted in steps, so that time while this process was suspended does not count. */
const STEPS = 8;
/** How long Bun's client retries to connect (seconds). */
const CONNECTION_TIMEOUT = 5;

/** Connections of the pool, and how often a statement outside a transaction is tried on those that were idle for too long. */
const CONNECTIONS = 10;
const IDLE_TRIES = CONNECTIONS + 1;

/** A query in progress: the steps it has waited, and whether the last inspection found all backends idle. */
type Call = { steps: number; suspect: boolean };
type Executor = Pick<SQL, "unsafe">;
type Watchdog = ReturnType<typeof createWatchdog>;

/** Counts how long queries take, and calls `onLost` when the connections prove to be dead. */
const createWatchdog = (server: Server, timeouts: Timeouts, onLost: () => void) => {
  const calls = new Set<Call>();

  const lateCalls = () => [...calls].filter(({ steps }) => steps > STEPS);

  /** It takes two inspections in a row that find the backends idle, because an answer may be on its way. */
  const isLost = async (): Promise<boolean> => {
    const state = await backendState(server, timeouts.inspection);
    const late = lateCalls();
    if (state === "unreachable") return late.length > 0;
    const lost = state === "idle" && late.some(({ suspect }) => suspect);
    for (const call of late) Object.assign(call, state === "idle" ? { suspect: true } : { suspect: false, steps: 0 });
    return lost;
  };

  const watch = createCoalescedRunner(async () => {
    while (calls.size > 0) {
      await systemClock.sleep(timeouts.query / STEPS);
      for (const call of calls) call.steps++;
      if (lateCalls().length > 0 && (await isLost())) {
        calls.clear();
        onLost();
      }
    }
  });

  return {
    begin: (): Call => {
      const call = { steps: 0, suspect: false };
      calls.add(call);
      void watch();
      return call;
    },
    end: (call: Call): void => void calls.delete(call),
  };
};

/** A pool that can be dropped. `current` throws until the server has answered again. */
const createReplaceablePool = (server: Server, timeouts: Timeouts) => {
  const connect = () => openClient({ ...server, max: CONNECTIONS, connectionTimeout: CONNECTION_TIMEOUT });
  let pool: SQL | null = connect();
  let closed = false;
  let inspecting = false;

  const reconnect = createCoalescedRunner(async () => {
    if (pool || closed) return;
    const available = await terminateBackends(server, timeouts.inspection).then(
      () => true,
      () => false,
    );
    if (available && !closed) pool = connect();
  });

  /** Fails every query of the pool in use. */
  const drop = (): void => {
    const lost = pool;
    pool = null;
    void lost?.close({ timeout: 0 }).catch(() => {});
    void reconnect();
  };

  return {
    current: (): SQL => {
      if (pool) return pool;
      void reconnect();
      throw noAnswer();
    },
    drop,
    /**
     * Drops the pool after a write that failed because its server is read-only, if a new connection can write: after a
     * failover the open connections may still lead to the former primary, which is a standby now.
     */
    inspectFailure: async (client: Executor, error: unknown): Promise<void> => {
      if (!isReadOnly(error) || inspecting || client !== pool) return;
      inspecting = true;
      const writable = await isWritable(server, timeouts.inspection);
      inspecting = false;
      if (writable && client === pool) drop();
    },
    close: async (): Promise<void> => {
      closed = true;
      await pool?.close();
    },
  };
};

type Query = {
  text: string;
  values: unknown[] | undefined;
  onError?: (client: Executor, error: unknown) => unknown;
  isAlone?: boolean;
};

/** The body of a transaction. */
type Work<T> = (tx: { unsafe: (text: string, values?: unknown[]) => unknown }) => Promise<T>;

/** Runs a query under the watchdog. Drizzle calls `values()` in the same turn to read rows as arrays. */
const watchQuery = (watchdog: Watchdog, executor: () => Executor, { text, values, onError, isAlone }: Query) => {
  let asArrays = false;
  const run = async (tries: number): Promise<unknown> => {
    await null;
    const client = executor();
    const query = client.unsafe(text, values);
    const call = watchdog.begin();
    try {
      return await (asArrays ? query.values() : query);
    } catch (error) {
      // Each connection of the pool may have been idle for too long.
      if (isAlone && tries < IDLE_TRIES && wasIdle(error)) return await run(tries + 1);
      void onError?.(client, error);
      throw error;
    } finally {
      watchdog.end(call);
    }
  };
  const answer = run(1);
  return Object.assign(answer, {
    values: () => {
      asArrays = true;
      return answer;
    },
  });
};

/**
 * Connection pool with a liveness check. When a query exceeds its timeout, `pg_stat_activity` is queried on a separate
 * connection: a busy backend is waited for without limit; when the backends are idle or the server is unreachable, the
 * connections are dead and the pool is dropped. That fails all queries in progress, and new ones fail at once until the
 * server answers again. Implements the part of Bun's client that Drizzle uses.
 */
export const openWatchdogPool = (url: string, timeouts: Timeouts) => {
  const server = { url, connection: { application_name: `wakeful ${crypto.randomUUID().slice(0, 8)}` } };
  const pool = createReplaceablePool(server, timeouts);
  const watchdog = createWatchdog(server, timeouts, pool.drop);

  const begin = async <T>(work: Work<T>, tries: number): Promise<T> => {
    const client = pool.current();
    let call = watchdog.begin();
    let [started, ended] = [false, false];
    try {
      return await client.begin(async (tx) => {
        started = true;
        watchdog.end(call);
        try {
          return await work({ unsafe: (text, values) => watchQuery(watchdog, () => tx, { text, values }) });
        } finally {
          // A transaction that loses its connection ends before its callback does: then there is no commit to watch.
          if (!ended) call = watchdog.begin();
        }
      });
    } catch (error) {
      if (!started && tries < IDLE_TRIES && wasIdle(error)) return await begin(work, tries + 1);
      void pool.inspectFailure(client, error);
      throw error;
    } finally {
      ended = true;
      watchdog.end(call);
    }
  };

  return {
    unsafe: (text: string, values?: unknown[]) =>
      watchQuery(watchdog, pool.current, { text, values, onError: pool.inspectFailure, isAlone: true }),

    begin: <T>(work: Work<T>): Promise<T> => begin(work, 1),

    close: pool.close,
  };
};
