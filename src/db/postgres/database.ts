import type { SQL as Client } from "bun";
import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";
import { type Database, type Queries, type Row, runBody, type Statement } from "../database";
import { withRetry } from "../errors";
import { createHealthProbe } from "../health-probe";
import type { openWatchdogPool } from "./watchdog-pool";

/** The database behind connections to a PostgreSQL that is migrated. */
export const postgresDatabase = (client: ReturnType<typeof openWatchdogPool>): Database => {
  const db = drizzle({ client: client as unknown as Client, casing: "snake_case" });
  type Executor = { execute(statement: SQL): Promise<unknown> };
  const run = async (tx: Executor, statement: Statement): Promise<unknown> =>
    "prepare" in statement ? await (statement as unknown as Promise<unknown>) : await tx.execute(statement as SQL);
  const rowsOf =
    (tx: Executor) =>
    async <T extends Row>(statement: SQL) => [...((await tx.execute(statement)) as T[])];
  const transact = async <T>(body: (tx: Database) => Promise<T>): Promise<T> => {
    const committed = await withRetry(() =>
      db.transaction((tx) => {
        const own = { rows: rowsOf(tx), run: (statement: Statement) => run(tx, statement) };
        return runBody(database, tx as unknown as Queries, own, body);
      }),
    );
    return committed();
  };
  const database: Database = Object.assign(db as unknown as Queries, {
    engine: "postgres" as const,
    rows: rowsOf(db),
    transact,
    atomically: (build: (tx: Queries) => Statement[]) => transact((tx) => tx.atomically(build)),
    afterCommit: (then: (database: Database) => void) => then(database),
    version: () => null,
    size: async () => {
      const [row] = (await db.execute(sql`select pg_database_size(current_database()) as size`)) as unknown as Row[];
      return Number(row?.size);
    },
    assertWritable: createHealthProbe({
      size: 1,
      look: async () => {
        const answer = await db.execute(sql`select pg_is_in_recovery() as standby`);
        const [row] = answer as unknown as { standby: boolean }[];
        if (row?.standby) throw new Error("PostgreSQL is read-only.");
      },
      write: (statement) => db.execute(sql.raw(statement)),
    }),
    close: client.close,
  });
  return database;
};
