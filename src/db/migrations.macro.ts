import { readMigrationFiles } from "drizzle-orm/migrator";

/** Both engines' migrations, read when the executable is built. */
export const readMigrations = () => ({
  sqlite: readMigrationFiles({ migrationsFolder: "migrations/sqlite" }),
  postgres: readMigrationFiles({ migrationsFolder: "migrations/postgres" }),
});
