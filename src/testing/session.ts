import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database";
import { until } from "./clock";

type Transaction = { execute: (statement: SQL) => Promise<unknown> };
type Transactional = { transaction: (work: (tx: Transaction) => Promise<void>) => Promise<void> };

/** On PostgreSQL: somebody else's transaction, which does one thing after the other for as long as a test wants. */
export const inTransaction = (db: Database, work: (run: Transaction["execute"]) => Promise<void>): Promise<void> =>
  (db as unknown as Transactional).transaction((tx) => work((statement) => tx.execute(statement)));

/** Waits until so many sessions of this database wait for a lock. */
export const untilWaiting = (db: Database, sessions = 1): Promise<void> =>
  until(async () => {
    const [row] = await db.rows(
      sql`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(row?.count) >= sessions;
  }, "a transaction to wait for a lock");
