/** Named tables of a foreign SQLite file. */
import type { Upload } from "./source";
import { isSqlite, openForeign } from "./sqlite";
import type { Fields } from "./text";

/** The columns that are read of each table. */
export type Columns = Readonly<Record<string, readonly string[]>>;
export type Tables<Wanted extends Columns> = { [Name in keyof Wanted]: Fields[] };

/** Whether a file is a database with these columns, among others. */
export const hasTables = ({ file }: Upload, start: Uint8Array, columns: Columns): boolean => {
  if (!isSqlite(start)) return false;
  const database = openForeign(file);
  try {
    return Object.entries(columns).every(([table, names]) => {
      const existing = database.columnsOf(table);
      return names.every((name) => existing.includes(name));
    });
  } finally {
    database.close();
  }
};

/** Reads tables; missing ones are empty. @throws {AppError} import_unreadable */
export const readTables = <Wanted extends Columns>(
  { file }: Pick<Upload, "file">,
  wanted: Wanted,
  limit?: number,
): Tables<Wanted> => {
  const database = openForeign(file);
  try {
    const entries = Object.entries(wanted).map(([table, columns]) => [table, database.rows(table, columns, limit)]);
    return Object.fromEntries(entries);
  } finally {
    database.close();
  }
};
