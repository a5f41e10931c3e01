import * as p from "drizzle-orm/pg-core";
import * as s from "drizzle-orm/sqlite-core";
import { processDialect } from "../core/config";

const sqliteBytes = s.customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" });
const postgresBytes = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

const sqlite = {
  table: s.sqliteTable,
  index: s.index,
  unique: s.uniqueIndex,
  primaryKey: s.primaryKey,
  text: s.text,
  integer: s.integer,
  real: s.real,
  id: () => s.integer().primaryKey({ autoIncrement: true }),
  /** A whole number beyond 32 bits: ids of other tables, epoch milliseconds. */
  long: (name = "") => s.integer(name, { mode: "number" }),
  flag: () => s.integer({ mode: "boolean" }),
  json: <T>() => s.text({ mode: "json" }).$type<T>(),
  bytes: () => sqliteBytes(),
};

const postgres = {
  table: p.pgTable,
  index: p.index,
  unique: p.uniqueIndex,
  primaryKey: p.primaryKey,
  text: p.text,
  integer: p.integer,
  real: p.doublePrecision,
  id: () => p.bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
  long: (name = "") => p.bigint(name, { mode: "number" }),
  flag: () => p.boolean(),
  json: <T>() => p.jsonb().$type<T>(),
  bytes: () => postgresBytes(),
};

/** The column kit of this process's engine, typed as SQLite's so that one schema serves both. */
export const kit = (processDialect === "sqlite" ? sqlite : postgres) as unknown as typeof sqlite;

/** The keys of a table. */
export const tableConfig = (processDialect === "sqlite"
  ? s.getTableConfig
  : p.getTableConfig) as unknown as typeof s.getTableConfig;
