import { Database as Sqlite } from "bun:sqlite";
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { MigrationMeta } from "drizzle-orm/migrator";
import { assertKnown, migrateDatabase, migrationTimes } from "../migrate";
import { tables } from "../move/store";

/** Maximum prepared statements. Preparing a statement takes longer than running it. */
const MAX_STATEMENTS = 500;

/** The tables that a statement inserts into, updates or deletes from. */
const writtenTables = (text: string): string[] =>
  [...text.matchAll(/\b(?:into|update|delete\s+from)\s+"?(\w+)/gi)].map(([, name]) => String(name));

/**
 * Caches a connection's prepared statements. They run synchronously, so none is used twice at a time. `onWrite` is called
 * with each table that a statement may change, just before it runs.
 * Returns a function that finalizes all of them, without which closing the connection leaves the file open.
 */
export const cacheStatements = (client: Sqlite, onWrite: (table: string) => void = () => {}): (() => void) => {
  const statements = new Map<string, { statement: ReturnType<Sqlite["prepare"]>; written: string[] }>();
  const prepare = client.prepare.bind(client);
  const finalizeAll = () => {
    for (const { statement } of statements.values()) statement.finalize();
    statements.clear();
  };
  client.prepare = ((text: string) => {
    const cached = statements.get(text) ?? { statement: prepare(text), written: writtenTables(text) };
    if (statements.size < MAX_STATEMENTS) statements.set(text, cached);
    for (const table of cached.written) onWrite(table);
    return cached.statement;
  }) as Sqlite["prepare"];
  return finalizeAll;
};

/** Suffixes of the files that SQLite keeps beside an open database. */
export const SQLITE_SIDECARS = ["-wal", "-shm"] as const;

/** Removes a copy that is not complete, with the files that SQLite may have left beside it. */
export const removeCopy = (copy: string): void => {
  for (const end of ["", ...SQLITE_SIDECARS, "-journal"]) rmSync(copy + end, { force: true });
};

export const databaseFile = (dataDir: string): string => join(dataDir, "wakeful.db");

/** Creates the file and its directory if missing, unreadable for other users of the machine because it holds secrets. */
export const makeDatabaseFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
  const { mode, uid } = statSync(file);
  // SQLite gives the sidecar files the same mode.
  if (mode & 0o007 && uid === process.getuid?.()) chmodSync(file, mode & 0o770);
};

/** Opens an existing file without creating or migrating it. */
export const openSqliteFile = (file: string): Sqlite => {
  const client = new Sqlite(file, { readwrite: true, create: false });
  client.exec("pragma busy_timeout = 5000");
  const finalizeStatements = cacheStatements(client);
  client.query = client.prepare as Sqlite["query"];
  const close = client.close.bind(client);
  client.close = () => {
    finalizeStatements();
    close(true);
  };
  return client;
};

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? "");
export const isBusy = (error: unknown) => codeOf(error).startsWith("SQLITE_BUSY");
export const isCorrupt = (error: unknown) => /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error));

/** Returns the result of `read`. @throws a message that names the file when it is corrupt or no database */
const readable = <T>(what: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw isCorrupt(error) ? new Error(`${what} is damaged, or no SQLite database at all`) : error;
  }
};

/** The times of the migrations that a file has had; empty when it is no database of ours. */
export const appliedMigrations = (client: Sqlite): number[] =>
  client.query("select 1 from sqlite_master where name = '__drizzle_migrations'").get() === null
    ? []
    : client
        .query<{ at: number }, []>("select created_at as at from __drizzle_migrations")
        .all()
        .map(({ at }) => Number(at));

/**
 * Reads a whole database and returns whether its tables match this version or an older one.
 * @param what names the file in error messages
 * @param known the times of this version's migrations
 * @throws when it is damaged, is no database of ours, or is one of a newer version or of before the first release
 */
export const inspectDatabase = (
  client: Sqlite,
  what: string,
  ownTimes: number[] = migrationTimes("sqlite"),
): "current" | "older" =>
  readable(what, () => {
    const ours = client.query("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
    if (!ours) throw new Error(`${what} is not a database of Wakeful's`);
    const had = appliedMigrations(client);
    assertKnown(what, had, ownTimes);
    const complaints = client.query<{ integrity_check: string }, []>("pragma integrity_check").all();
    if (complaints[0]?.integrity_check !== "ok")
      throw new Error(`${what} is damaged: ${complaints[0]?.integrity_check}`);
    const broken = client.query("pragma foreign_key_check").all().length;
    if (broken > 0) throw new Error(`${what} is damaged: ${broken} rows refer to missing ones`);
    return had.length < ownTimes.length ? "older" : "current";
  });

/** Applies the migrations that a file has not had yet. */
export const migrateFile = async (client: Sqlite, migrations?: MigrationMeta[]): Promise<void> => {
  client.exec("pragma foreign_keys = off");
  await migrateDatabase("sqlite", drizzle({ client }), migrations);
};

/** The number of rows of each existing table. */
export const countRows = (client: Sqlite): Record<string, number> => {
  const present = new Set(
    client
      .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  const count = (name: string) => client.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n ?? 0;
  return Object.fromEntries(tables.filter(({ name }) => present.has(name)).map(({ name }) => [name, count(name)]));
};

/** Formats the row counts of the main tables for a terminal. */
export const formatRowCounts = (rows: Record<string, number>): string =>
  (
    [
      ["users", "users"],
      ["monitors", "monitors"],
      ["agents", "agents"],
      ["hours of checks", "check_blocks"],
      ["hours of samples", "sample_blocks"],
    ] as const
  )
    .map(([label, name]) => `${label} ${(rows[name] ?? 0).toLocaleString("en-US")}`)
    .join(", ");

/** Flushes a file or a directory to disk. */
export const fsync = (path: string): void => {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
};

/** Windows cannot flush directories. */
export const fsyncParentFolder = (file: string): void => {
  if (process.platform !== "win32") fsync(dirname(file));
};
