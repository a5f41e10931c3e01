import type { Table } from "drizzle-orm";
import type { Clock } from "../lib/time";
import type { Database } from "./database";

type Options = {
  db: Pick<Database, "version">;
  clock: Clock;
  /** The tables that `read` reads, and all that decide when something is due. */
  tables: Table[];
  /** Reads the earliest due time; null for never. */
  read: () => Promise<number | null>;
};

/**
 * Returns a function that tells whether something is due. On SQLite the time is kept until a statement of this process may
 * have changed one of the tables, so that there is no query while nothing is due. On PostgreSQL, where other processes
 * write, something may always be due.
 */
export const createDueCheck = ({ db, clock, tables, read }: Options) => {
  let cached: { version: number; at: number } | null = null;
  return async (): Promise<boolean> => {
    // Taken before the read, so that writes during it cause another read.
    const version = db.version(...tables);
    if (version === null) return true;
    if (cached?.version !== version) cached = { version, at: (await read()) ?? Number.POSITIVE_INFINITY };
    return clock.now() >= cached.at;
  };
};
