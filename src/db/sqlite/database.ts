import type { Database as Sqlite } from "bun:sqlite";
import { getTableName, type SQL, type Table } from "drizzle-orm";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { type Database, type Queries, type Row, runBody, type Statement } from "../database";
import { createHealthProbe } from "../health-probe";
import { assertReleased, migrateDatabase, migrationTimes } from "../migrate";
import { appliedMigrations, cacheStatements } from "./file";
import { createTransactions } from "./transactions";

const PRAGMAS = `
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma cache_size = -65536;
  pragma temp_store = memory;
  pragma secure_delete = on;
  pragma wal_autocheckpoint = 4000;
  pragma journal_size_limit = 67108864;
`;

/** Counts the statements that may have changed a table, and the transactions that failed. */
const createWriteCounter = () => {
  const counts = new Map<string, number>();
  let failures = 0;
  return {
    count: (table: string): void => void counts.set(table, (counts.get(table) ?? 0) + 1),
    countFailure: (): void => void failures++,
    version: (...tables: Table[]): number =>
      tables.reduce((sum, table) => sum + (counts.get(getTableName(table)) ?? 0), failures),
  };
};

type Runnable = { prepare(): { execute(): { sync(): unknown } } };
const runNow = (tx: Pick<BunSQLiteDatabase, "all">, statement: Statement): unknown =>
  "prepare" in statement ? (statement as unknown as Runnable).prepare().execute().sync() : tx.all(statement as SQL);

/** Migrates a connection's database. `file` names it in error messages. */
export const openSqlite = async (client: Sqlite, file: string): Promise<Database> => {
  client.exec(PRAGMAS);
  const db = drizzle({ client, casing: "snake_case" });
  // With foreign keys enforced, a migration that rebuilds a table would delete its child rows.
  client.exec("pragma foreign_keys = off");
  assertReleased(file, appliedMigrations(client), migrationTimes("sqlite"));
  await migrateDatabase("sqlite", db);
  const broken = client.query("pragma foreign_key_check").all();
  if (broken.length > 0) throw new Error(`The database has ${broken.length} rows that refer to missing ones.`);
  client.exec("pragma foreign_keys = on");
  const writes = createWriteCounter();
  const forgetPrepared = cacheStatements(client, writes.count);
  const { queries, transact, outside } = createTransactions(client);
  const counted = async <T>(transaction: Promise<T>): Promise<T> => {
    try {
      return await transaction;
    } catch (error) {
      writes.countFailure();
      throw error;
    }
  };
  const write = (build: (tx: Queries) => Statement[]) =>
    db.transaction((tx) => build(tx).map((statement) => runNow(tx, statement)), { behavior: "immediate" });
  const rowsOf =
    (tx: BunSQLiteDatabase) =>
    async <T extends Row>(statement: SQL) =>
      tx.all(statement) as T[];
  const database: Database = Object.assign(queries, {
    $client: client,
    engine: "sqlite" as const,
    rows: rowsOf(queries),
    transact: async <T>(body: (tx: Database) => Promise<T>) => {
      const committed = await counted(
        transact((tx) => {
          const own = { rows: rowsOf(tx), run: (statement: Statement) => runNow(tx, statement) };
          return runBody(database, tx, own, body);
        }),
      );
      return committed();
    },
    atomically: (build: (tx: Queries) => Statement[]) => counted(outside(() => write(build))),
    afterCommit: (then: (database: Database) => void) => then(database),
    version: writes.version,
    size: async () => {
      const [row] = client
        .query("select page_count * page_size as size from pragma_page_count, pragma_page_size")
        .all();
      return (row as { size: number }).size;
    },
    assertWritable: createHealthProbe({
      // As large as a typical write, because a smaller one may still fit on a full disk.
      size: 32_768,
      look: () => outside(() => client.exec("begin immediate; rollback;")),
      write: (statement) => outside(() => client.exec(statement)),
    }),
    close: async () => {
      forgetPrepared();
      try {
        // Otherwise the write-ahead log would stay, with what was deleted since it began.
        client.exec("pragma wal_checkpoint(truncate)");
      } catch {
        // The next start reads the log, as after a crash.
      }
      client.close();
    },
  });
  return database;
};
