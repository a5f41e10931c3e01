import { sql } from "drizzle-orm";
import type { Database } from "../../db/database";

/** Calls `around` instead of each transaction, until the returned function is called. */
const interceptWrites = (db: Database, around: <T>(write: () => Promise<T>) => Promise<T>): (() => void) => {
  const { atomically, transact } = db;
  Object.assign(db, {
    atomically: (build: Parameters<Database["atomically"]>[0]) => around(() => atomically(build)),
    transact: <T>(body: (tx: Database) => Promise<T>) => around(() => transact(body)),
  });
  return () => void Object.assign(db, { atomically, transact });
};

/** Fails transactions, until the returned function is called. */
export const failWrites = (db: Database, reason: string): (() => void) =>
  interceptWrites(db, () => Promise.reject(new Error(reason)));

/** Fails the next transaction, before it starts or after it is committed. */
export const failOnce = (db: Database, reason: string, when: "before" | "after" = "before"): void => {
  const mend = interceptWrites(db, async (write) => {
    mend();
    if (when === "after") await write();
    throw new Error(reason);
  });
};

/** Counts the transactions from here on. */
export const countWrites = (db: Database): { count: number } => {
  const writes = { count: 0 };
  interceptWrites(db, (write) => {
    writes.count++;
    return write();
  });
  return writes;
};

/** An open transaction that runs sets of statements by `atomically`. */
export const withAtomically = (tx: Database, atomically: Database["atomically"]): Database => {
  const own: Database = Object.assign(Object.create(tx) as Database, {
    atomically,
    transact: <T>(body: (tx: Database) => Promise<T>) => body(own),
  });
  return own;
};

/** Fails each transaction after a number of statements, at the latest at its end, until the returned function is called. */
export const failAfter = (db: Database, statements: number): (() => void) => {
  const { transact } = db;
  const broken = sql`select secret from no_such_table`;
  db.transact = (body) =>
    transact(async (tx) => {
      let left = statements;
      const failing = withAtomically(tx, (build) =>
        tx.atomically((queries) => {
          const all = build(queries);
          const first = all.slice(0, left);
          left -= first.length;
          return first.length < all.length ? [...first, broken] : first;
        }),
      );
      await body(failing);
      throw await tx.rows(broken);
    });
  return () => {
    db.transact = transact;
  };
};
