import type { SQL, Table } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Dialect } from "../core/config";

/** The query builder. SQLite's type serves both engines, because every query is awaited. */
export type Queries = Pick<BunSQLiteDatabase, "select" | "insert" | "update" | "delete" | "$count">;
/** One statement of a transaction: a query that has not run yet, or SQL that both engines accept. */
export type Statement = SQL | { toSQL(): unknown };
export type Row = Record<string, unknown>;

/** A database, or an open transaction of it, so that the same functions read and write in either. */
export type Database = Queries & {
  engine: Dialect;
  /** Runs SQL that both engines accept, and returns its rows with their stored column names. */
  rows: <T extends Row = Row>(statement: SQL) => Promise<T[]>;
  /**
   * Runs `body` in a transaction: all its writes are stored, or none if it throws. It reads, decides and writes through
   * `tx` only, awaits nothing else, and has no other effects, because it is called again after a deadlock or a
   * serialization failure. PostgreSQL runs transactions side by side: lock the rows that a decision depends on before
   * reading them (see lock), monitors or agents first, then their history and sums, then events, then deliveries.
   * A transaction that is started by `tx` is a part of `tx`.
   */
  transact: <T>(body: (tx: Database) => Promise<T>) => Promise<T>;
  /**
   * Runs all statements or none, and returns the rows of each. There are no reads in between, which saves hot paths a
   * round trip for each: a statement that depends on stored data has its own condition.
   */
  atomically: (build: (tx: Queries) => Statement[]) => Promise<unknown[]>;
  /** Calls `then` with the database once this transaction is committed, or at once outside a transaction. */
  afterCommit: (then: (database: Database) => void) => void;
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

const transactions = new WeakMap<object, object>();

/** The database that an open transaction belongs to, to find what a process keeps in memory for a database; itself otherwise. */
export const databaseOf = (db: object): object => transactions.get(db) ?? db;

/**
 * Runs the body of an open transaction; `run` runs one statement of it and returns its rows. Returns a function for after the
 * commit, which returns the result of the body.
 */
export const runBody = async <T>(
  database: Database,
  queries: Queries,
  { rows, run }: Pick<Database, "rows"> & { run: (statement: Statement) => unknown },
  body: (tx: Database) => Promise<T>,
): Promise<() => T> => {
  const { engine, version, size, assertWritable, close } = database;
  const waiting: ((database: Database) => void)[] = [];
  const tx: Database = Object.assign(queries, {
    ...{ engine, version, size, assertWritable, close, rows },
    transact: <R>(inner: (tx: Database) => Promise<R>) => inner(tx),
    atomically: async (build: (tx: Queries) => Statement[]) => {
      const results: unknown[] = [];
      for (const statement of build(tx)) results.push(await run(statement));
      return results;
    },
    afterCommit: (then: (database: Database) => void) => void waiting.push(then),
  });
  transactions.set(tx, database);
  const result = await body(tx);
  return () => {
    for (const then of waiting) then(database);
    return result;
  };
};
