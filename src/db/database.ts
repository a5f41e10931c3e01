import { Database as Sqlite } from "bun:sqlite";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SQL as Postgres } from "bun";
import { getTableName, type SQL, sql, type Table } from "drizzle-orm";
import { drizzle as drizzlePostgres } from "drizzle-orm/bun-sql";
import { type BunSQLiteDatabase, drizzle as drizzleSqlite } from "drizzle-orm/bun-sqlite";
import { type Config, ConfigError, type Dialect } from "../core/config";
import { describeError } from "../core/errors";
import { within, withRetry } from "./errors";
import { assertReleased, migrateDatabase, migrationTimes } from "./migrate";
import { migratePostgres } from "./postgres/migrate";
import { openWatchdogPool, TIMEOUTS, type Timeouts } from "./postgres/watchdog-pool";
import { appliedMigrations, cacheStatements, databaseFile, makeDatabaseFile, openSqliteFile } from "./sqlite/file";

/** The query builder. SQLite's type serves both engines, because every query is awaited. */
export type Queries = Pick<BunSQLiteDatabase, "select" | "insert" | "update" | "delete" | "$count">;
/** One statement of a transaction: a query that has not run yet, or SQL that both engines accept. */
export type Statement = SQL | { toSQL(): unknown };
type Row = Record<string, unknown>;

export type Database = Queries & {
  engine: Dialect;
  /** Runs SQL that both engines accept, and returns its rows with their stored column names. */
  rows: <T extends Row = Row>(statement: SQL) => Promise<T[]>;
  /**
   * Runs all statements or none. There are no reads in between: a statement that depends on stored data has its
   * own condition. Returns the rows of each statement. `build` is called again after a deadlock or a serialization
   * failure. Transactions lock rows in one order to make those rare: monitors or agents first, by id (see lockRows),
   * then their history and sums, then events, then deliveries.
   */
  atomically: (build: (tx: Queries) => Statement[]) => Promise<unknown[]>;
  /**
   * A number that grows with every statement that may have changed one of these tables, and with every failed
   * transaction. Null on PostgreSQL, where other processes write as well.
   */
  version: (...tables: Table[]) => number | null;
  /** Size of the database in bytes. */
  size: () => Promise<number>;
  /** @throws when the database cannot be written */
  assertWritable: () => Promise<void>;
  close: () => Promise<void>;
};

/** Minimum milliseconds between two test writes, however often the probe runs. */
const TEST_WRITE_PAUSE = 1000;
/** Milliseconds after which a database that does not answer counts as unavailable. */
const PROBE_TIMEOUT = 5000;

/** A different digit each time, because SQLite does not write unchanged pages. */
const statementOf = (turn: number, size: number): string =>
  `insert into app_settings (key, value) values ('probe', '${String(turn % 10).repeat(size)}')
    on conflict (key) do update set value = excluded.value`;

type HealthProbe = {
  /** Characters that are written. */
  size: number;
  /** Throws when the database cannot be written: runs every time. */
  look: () => unknown;
  /** Runs a statement: at most once a second. */
  write: (statement: string) => unknown;
  /** Milliseconds. */
  timeout?: number;
};

/** Returns a function that throws when the database cannot be written or does not answer in time. */
export const createHealthProbe = ({ size, look, write, timeout = PROBE_TIMEOUT }: HealthProbe) => {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  const probe = async (): Promise<void> => {
    await look();
    if (performance.now() - writtenAt < TEST_WRITE_PAUSE) return;
    await write(statementOf(turn++, size));
    writtenAt = performance.now();
  };
  return (): Promise<void> => within(timeout, probe());
};

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

const openSqlite = async (file: string): Promise<Database> => {
  const client = new Sqlite(file, { create: true, strict: false });
  client.exec(PRAGMAS);
  const db = drizzleSqlite({ client, casing: "snake_case" });
  // With foreign keys enforced, a migration that rebuilds a table would delete its child rows.
  client.exec("pragma foreign_keys = off");
  assertReleased(file, appliedMigrations(client), migrationTimes("sqlite"));
  await migrateDatabase("sqlite", db);
  const broken = client.query("pragma foreign_key_check").all();
  if (broken.length > 0) throw new Error(`The database has ${broken.length} rows that refer to missing ones.`);
  client.exec("pragma foreign_keys = on");
  const writes = createWriteCounter();
  const forgetPrepared = cacheStatements(client, writes.count);
  type Runnable = { prepare(): { execute(): { sync(): unknown } } };
  const run = (tx: Pick<BunSQLiteDatabase, "all">, statement: Statement): unknown =>
    "prepare" in statement ? (statement as unknown as Runnable).prepare().execute().sync() : tx.all(statement as SQL);
  return Object.assign(db, {
    engine: "sqlite" as const,
    rows: async <T extends Row>(statement: SQL) => db.all(statement) as T[],
    atomically: async (build: (tx: Queries) => Statement[]) => {
      try {
        return db.transaction((tx) => build(tx).map((statement) => run(tx, statement)), { behavior: "immediate" });
      } catch (error) {
        writes.countFailure();
        throw error;
      }
    },
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
      look: () => void client.exec("begin immediate; rollback;"),
      write: (statement) => void client.exec(statement),
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
};

/** The database behind connections to a PostgreSQL that is migrated. */
export const postgresDatabase = (client: ReturnType<typeof openWatchdogPool>): Database => {
  const db = drizzlePostgres({ client: client as unknown as Postgres, casing: "snake_case" });
  type Executor = { execute(statement: SQL): Promise<unknown> };
  const run = async (tx: Executor, statement: Statement): Promise<unknown> =>
    "prepare" in statement ? await (statement as unknown as Promise<unknown>) : await tx.execute(statement as SQL);
  return Object.assign(db as unknown as Queries, {
    engine: "postgres" as const,
    rows: async <T extends Row>(statement: SQL) => [...((await db.execute(statement)) as unknown as T[])],
    atomically: (build: (tx: Queries) => Statement[]) =>
      withRetry(() =>
        db.transaction(async (tx) => {
          const results: unknown[] = [];
          for (const statement of build(tx as unknown as Queries)) results.push(await run(tx, statement));
          return results;
        }),
      ),
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
};

const openPostgres = async (url: string, timeouts: Timeouts): Promise<Database> => {
  await migratePostgres(url);
  return postgresDatabase(openWatchdogPool(url, timeouts));
};

const refuse = (name: string) => (error: unknown) => {
  const isOurs = error instanceof Error && error.constructor === Error && !error.cause;
  throw new ConfigError(`${name} is not usable: ${isOurs ? error.message : describeError(error)}`, { cause: error });
};

/** @throws when this process may not write in a folder, or in the nearest parent of it that exists */
const assertCreatable = (missing: string): void => {
  let folder = missing;
  while (!existsSync(folder)) folder = dirname(folder);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a directory`);
  accessSync(folder, constants.W_OK);
};

/**
 * Connects to the configured database, without creating or changing anything.
 * @throws {ConfigError} naming the setting when the database cannot be used
 */
export const tryDatabase = async ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): Promise<void> => {
  if (databaseUrl) {
    const db = postgresDatabase(openWatchdogPool(databaseUrl, TIMEOUTS));
    await db.rows(sql`select 1`).catch(refuse("DATABASE_URL")).finally(db.close);
    return;
  }
  const file = databaseFile(dataDir);
  try {
    if (!existsSync(file)) return assertCreatable(resolve(dataDir));
    const client = openSqliteFile(file);
    try {
      client.exec("begin immediate; rollback;");
    } finally {
      client.close();
    }
  } catch (error) {
    refuse(`DATA_DIR=${dataDir}`)(error);
  }
};

/**
 * Opens the configured database, creating and migrating it as needed.
 * @throws {ConfigError} naming the setting when the database cannot be opened
 */
export const openDatabase = async (
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  timeouts: Timeouts = TIMEOUTS,
): Promise<Database> => {
  if (databaseUrl) return openPostgres(databaseUrl, timeouts).catch(refuse("DATABASE_URL"));
  const file = databaseFile(dataDir);
  try {
    makeDatabaseFile(file);
  } catch (error) {
    refuse(`DATA_DIR=${dataDir}`)(error);
  }
  return openSqlite(file);
};

/** Opens an in-memory database. */
export const openMemoryDatabase = (): Promise<Database> => openSqlite(":memory:");
