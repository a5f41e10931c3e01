/**
 * SQLite files of unknown origin. They are opened for reading only, without the functions and virtual tables of their
 * schema, and only base tables are read, by name.
 */
import { Database } from "bun:sqlite";
import { AppError } from "../../../core/errors";
import type { Fields } from "./text";

const MAGIC = "SQLite format 3\0";

/** Whether a file starts as a SQLite database does. */
export const isSqlite = (start: Uint8Array): boolean => Buffer.from(start.subarray(0, 16)).toString("latin1") === MAGIC;

/** Rows of one table that are read at most. */
export const MAX_ROWS = 100_000;
/** Bytes of a value; larger ones are null. */
export const MAX_VALUE = 300_000;
/** Characters of all values of one table. */
const MAX_TOTAL = 64 * 1024 * 1024;

/** https://www.sqlite.org/security.html#untrusted_sqlite_database_files */
const SETTINGS = [
  "trusted_schema = OFF",
  "query_only = ON",
  "cell_size_check = ON",
  "mmap_size = 0",
  "cache_size = -8192",
];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  if (/not a database/.test(message)) return "the file is encrypted or is no SQLite database";
  if (/malformed|corrupt/.test(message)) return "the database is damaged or incomplete";
  return "the database can't be read";
};

/** A file that can't be read, with the reason. */
export class Unreadable extends AppError<"import_unreadable"> {
  constructor(readonly reason: string) {
    super("import_unreadable", { reason });
  }
}

export const unreadable = (reason: string): Unreadable => new Unreadable(reason);

/** Reads from a file. @throws {AppError} import_unreadable */
const reading = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(reasonOf(error));
  }
};

/** @throws {AppError} import_unreadable */
export const openForeign = (file: string) => {
  const database = reading(() => {
    const opened = new Database(file, { readonly: true });
    for (const setting of SETTINGS) opened.run(`pragma ${setting}`);
    return opened;
  });
  /** The stored columns of a base table; empty for views, virtual tables and names that do not exist. */
  const columnsOf = (table: string): string[] =>
    reading(() => {
      const found = database
        .query<{ found: number }, [string]>(
          "select count(*) as found from sqlite_master where type = 'table' and name = ? and rootpage > 0",
        )
        .get(table);
      if (!found?.found) return [];
      // Generated columns, which are hidden here, could run expressions of the file.
      return database
        .query<{ name: string }, [string]>("select name from pragma_table_info(?)")
        .all(table)
        .map(({ name }) => name);
    });
  /** @throws {AppError} import_unreadable */
  const query = (text: string, ...values: (string | number)[]): Fields[] =>
    reading(() => database.query<Record<string, unknown>, (string | number)[]>(text).all(...values));
  return {
    columnsOf,
    query,
    /**
     * Rows of a table with the named columns, if they exist. Large values are null.
     * @throws {AppError} import_unreadable
     */
    rows: (table: string, columns: readonly string[], limit = MAX_ROWS): Fields[] => {
      const existing = columnsOf(table);
      const wanted = columns.filter((column) => existing.includes(column)).map(quoted);
      if (wanted.length === 0) return [];
      // The length in bytes is known without reading the value.
      const selected = wanted.map((name) => `iif(octet_length(${name}) > ${MAX_VALUE}, null, ${name}) as ${name}`);
      const found = database.query<Record<string, unknown>, []>(`select ${selected.join(", ")} from ${quoted(table)}`);
      return reading(() => {
        const rows: Fields[] = [];
        let characters = 0;
        for (const row of found.iterate()) {
          if (rows.length >= limit) break;
          for (const value of Object.values(row)) characters += typeof value === "string" ? value.length : 8;
          if (characters > MAX_TOTAL) throw unreadable(`the table ${table} is larger than the product writes it`);
          rows.push(row);
        }
        return rows;
      });
    },
    close: () => database.close(),
  };
};
export type ForeignDatabase = ReturnType<typeof openForeign>;
