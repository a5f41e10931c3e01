import { Database as Sqlite } from "bun:sqlite";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sql } from "drizzle-orm";
import { type Config, ConfigError } from "../core/config";
import { describeError } from "../core/errors";
import type { Database } from "./database";
import { migrationTimes } from "./migrate";
import { postgresDatabase } from "./postgres/database";
import { migratePostgres } from "./postgres/migrate";
import { openWatchdogPool, TIMEOUTS, type Timeouts } from "./postgres/watchdog-pool";
import { openSqlite } from "./sqlite/database";
import { appliedMigrations, databaseFile, makeDatabaseFile, openSqliteFile } from "./sqlite/file";

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

/** Whether a SQLite database has tables that only a newer version knows; an older one may not work with it. */
export const isOfNewerVersion = ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): boolean => {
  const file = databaseFile(dataDir);
  if (databaseUrl || !existsSync(file)) return false;
  const client = openSqliteFile(file);
  try {
    return appliedMigrations(client).some((time) => !migrationTimes("sqlite").includes(time));
  } finally {
    client.close();
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
  return openSqlite(new Sqlite(file, { create: true, strict: false }), file);
};

/** Opens an in-memory database, empty or with a serialized content. */
export const openMemoryDatabase = (content?: Uint8Array): Promise<Database> =>
  openSqlite(content ? Sqlite.deserialize(content, { strict: false }) : new Sqlite(":memory:"), ":memory:");
