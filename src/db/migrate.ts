import type { MigrationMeta } from "drizzle-orm/migrator";
import type { Dialect } from "../shared/dialect";
import { readMigrations } from "./migrations.macro" with { type: "macro" };

const migrations = readMigrations() as unknown as Record<Dialect, MigrationMeta[]>;

/** Drizzle's own migrator, less its reading of files: its dialect object is not in the public types. */
type Migratable = {
  dialect: { migrate(migrations: MigrationMeta[], session: unknown, config: object): void | Promise<void> };
  session: unknown;
};

/** Brings a database to this version's tables. */
export const migrateDatabase = async (engine: Dialect, db: object): Promise<void> => {
  const { dialect, session } = db as Migratable;
  await dialect.migrate(migrations[engine], session, {});
};

/** The times by which an engine's migrations are known, in their order: a database keeps them of those it has had. */
export const migrationTimes = (engine: Dialect): number[] => migrations[engine].map(({ folderMillis }) => folderMillis);
