import type { Database as Sqlite } from "bun:sqlite";
import { BunSQLiteDatabase, SQLiteBunSession } from "drizzle-orm/bun-sqlite";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

/** Runs before each query. A returned promise delays the query until it settles. @throws when the query may not run */
type Gate = () => Promise<void> | undefined;
type Execute = (values?: Record<string, unknown>) => unknown;

/** It remembers the names of columns, which a transaction would have to convert again. */
const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

/** A query builder whose queries pass a gate. */
const gatedQueries = (client: Sqlite, gate: Gate): BunSQLiteDatabase => {
  const session = new SQLiteBunSession<Record<string, never>, Record<string, never>>(client, dialect, undefined);
  const prepareQuery = session.prepareQuery.bind(session);

  /** A query that is prepared when the gate opens. Its results are awaited, so its methods may return promises. */
  const delayed = (prepare: () => Record<string, Execute>) => {
    const query: Record<string, unknown> = {};
    for (const method of ["run", "all", "get", "values", "execute"])
      query[method] = async (values?: Record<string, unknown>) => {
        for (let wait = gate(); wait; wait = gate()) await wait;
        // The query builder sets this on what prepareQuery returns.
        const { joinsNotNullableMap } = query;
        return Object.assign(prepare(), { joinsNotNullableMap })[method]?.(values);
      };
    return query;
  };
  session.prepareQuery = ((...parameters: Parameters<typeof prepareQuery>) => {
    const prepare = () => prepareQuery(...parameters);
    return gate() ? delayed(prepare as unknown as () => Record<string, Execute>) : prepare();
  }) as typeof prepareQuery;
  return new BunSQLiteDatabase("sync", dialect, session, undefined);
};

/**
 * Interactive transactions on one connection. Queries outside an open transaction wait until it ends, so that they neither see
 * nor join it. A transaction may await its own queries only. They complete without I/O, so a transaction ends before the event
 * loop continues; otherwise it is rolled back with an error.
 */
export const createTransactions = (client: Sqlite) => {
  let current: Promise<void> | undefined;
  const gate = () => current;

  const transact = async <T>(body: (queries: BunSQLiteDatabase) => Promise<T>): Promise<T> => {
    while (current) await current;
    const ended = Promise.withResolvers<void>();
    const overdue = Promise.withResolvers<never>();
    client.exec("begin immediate");
    current = ended.promise;
    const timer = setImmediate(() =>
      overdue.reject(new Error("A transaction awaited something other than its own queries.")),
    );
    const queries = gatedQueries(client, () => {
      if (current !== ended.promise) throw new Error("The transaction has ended.");
      return undefined;
    });
    try {
      const result = await Promise.race([body(queries), overdue.promise]);
      client.exec("commit");
      return result;
    } catch (error) {
      // SQLite itself rolls back after some errors, such as a full disk.
      if (client.inTransaction) client.exec("rollback");
      throw error;
    } finally {
      clearImmediate(timer);
      current = undefined;
      ended.resolve();
    }
  };

  /** Runs synchronous work while no transaction is open. */
  const outside = async <T>(work: () => T): Promise<T> => {
    while (current) await current;
    return work();
  };

  return { queries: gatedQueries(client, gate), transact, outside };
};
