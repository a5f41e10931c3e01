import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import type { MigrationMeta } from "drizzle-orm/migrator";
import { systemClock } from "../../lib/time";
import { SECOND } from "../../shared/limits";
import { isFull, stateOf } from "../errors";
import { assertReleased, migrateDatabase, migrationTimes } from "../migrate";
import { openClient } from "./client";

/** An arbitrary advisory lock key for migrations. */
const MIGRATION_LOCK = 7_219_001;
/** How often a server that is full is tried, once a second. */
const TRIES = 10;

const DENIED = "42501";
/** Drizzle's first statement, which needs a right of its own even if the schema exists. */
const CREATE_SCHEMA = /^\s*create schema if not exists/i;

type State = { role: string; database: string; schema: string; journal: boolean; mayCreate: boolean };

/** Reads who migrates what, before a failed statement ends the transaction. */
const readState = async (tx: Pick<SQL, "unsafe">): Promise<State> => {
  const [row] = (await tx.unsafe(`select current_user as role, current_database() as database,
    coalesce(current_schema(), 'public') as schema, to_regclass('drizzle.__drizzle_migrations') is not null as journal,
    has_database_privilege(current_database(), 'CREATE') as "mayCreate"`)) as State[];
  return row as State;
};

/** The error of a migration, which names the missing right if that is the reason. */
const explained = (error: unknown, { role, database, schema, journal, mayCreate }: State): unknown => {
  if (stateOf(error) !== DENIED) return error;
  const what =
    journal || mayCreate ? `the schema "${schema}"` : `the database "${database}", where it creates the schema drizzle`;
  return new Error(`the role "${role}" has no CREATE right on ${what}`);
};

/** @see migratePostgres */
const migrateOnce = async (url: string, list?: MigrationMeta[]): Promise<void> => {
  const client = openClient({ url, max: 1, connectionTimeout: 5 });
  try {
    await client.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      const state = await readState(tx);
      if (state.journal) {
        const rows = (await tx`select created_at from drizzle.__drizzle_migrations`) as { created_at: unknown }[];
        const had = rows.map(({ created_at }) => Number(created_at));
        assertReleased("the database", had, migrationTimes("postgres"));
      }
      const nested = {
        unsafe: (text: string, values?: unknown[]) =>
          tx.unsafe(state.journal && CREATE_SCHEMA.test(text) ? "select 1" : text, values),
        begin: tx.savepoint.bind(tx),
      };
      await migrateDatabase("postgres", drizzle({ client: nested as unknown as SQL }), list).catch((error) => {
        throw explained(error, state);
      });
    });
  } finally {
    await client.close({ timeout: 0 });
  }
};

/**
 * Migrates a database on a separate connection without the watchdog. Instances that start together migrate one after
 * another, and in one transaction, because behind a pooler a lock of the session would stay on a connection of the pooler.
 * A server without a free connection is tried again for ten seconds.
 * @throws naming a missing right, and when the database was made before the first release
 */
export const migratePostgres = async (url: string, list?: MigrationMeta[]): Promise<void> => {
  for (let tried = 1; ; tried++) {
    try {
      return await migrateOnce(url, list);
    } catch (error) {
      if (tried === TRIES || !isFull(error)) throw error;
      await systemClock.sleep(SECOND);
    }
  }
};
