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

/** The creation times that identify an engine's migrations, in order. A database stores those it has had. */
export const migrationTimes = (engine: Dialect): number[] => migrations[engine].map(({ folderMillis }) => folderMillis);
