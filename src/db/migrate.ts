import type { MigrationMeta } from "drizzle-orm/migrator";
import type { Dialect } from "../core/config";
import { readMigrations } from "./migrations.macro" with { type: "macro" };

const migrations = readMigrations() as unknown as Record<Dialect, MigrationMeta[]>;

/** Drizzle's migrator without its reading of files: its dialect object is not in the public types. */
type Migratable = {
  dialect: { migrate(migrations: MigrationMeta[], session: unknown, config: object): void | Promise<void> };
  session: unknown;
};

/** Applies the migrations that a database has not had yet. */
export const migrateDatabase = async (engine: Dialect, db: object, list = migrations[engine]): Promise<void> => {
  const { dialect, session } = db as Migratable;
  await dialect.migrate(list, session, {});
};

/** The migrations of an engine; the last one also runs this statement. */
export const migrationsWith = (engine: Dialect, statement: string): MigrationMeta[] =>
  migrations[engine].map((migration, index, all) =>
    index === all.length - 1 ? { ...migration, sql: [...migration.sql, statement] } : migration,
  );

/** Whether a database has had migrations of before the first release, which this version replaces by others. */
const isBeforeRelease = (had: readonly number[], ownTimes: readonly number[]): boolean => {
  const unknown = had.filter((time) => !ownTimes.includes(time));
  return unknown.length > 0 && Math.max(...unknown) < Math.max(...ownTimes);
};

/** @throws when a database that had these migrations was made before the first release; `what` names it */
export const assertReleased = (what: string, had: readonly number[], ownTimes: readonly number[]): void => {
  if (isBeforeRelease(had, ownTimes)) throw new Error(`${what} was made by a version before 0.1; it can't be migrated`);
};

/** @throws when a database has had migrations that this version does not have */
export const assertKnown = (what: string, had: readonly number[], ownTimes: readonly number[]): void => {
  assertReleased(what, had, ownTimes);
  if (had.some((time) => !ownTimes.includes(time)))
    throw new Error(`${what} was written by a newer version: use an executable of that version`);
};

/** The creation times that identify an engine's migrations, in order. A database stores those it has had. */
export const migrationTimes = (engine: Dialect): number[] => migrations[engine].map(({ folderMillis }) => folderMillis);
