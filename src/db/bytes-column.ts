import { sql } from "drizzle-orm";
import type { Database } from "./database";

/** Rows that are held in memory at a time. */
const PAGE = 500;

/** A column of bytes by its stored names, and the numbers of its table's primary key. */
export type BytesColumn = { table: string; key: string[]; column: string };

/** Reads a column of bytes in key order, a page at a time, skipping nulls. */
export async function* bytesOf({ rows }: Pick<Database, "rows">, { table, key, column }: BytesColumn) {
  const names = key.join(", ");
  for (let after: number[] | null = null; ; ) {
    const later: string = after ? `and (${names}) > (${after.join(", ")})` : "";
    const page: Record<string, unknown>[] = await rows(
      sql.raw(
        `select ${names}, ${column} as bytes from ${table} where ${column} is not null ${later} order by ${names} limit ${PAGE}`,
      ),
    );
    const read = page.map((row) => ({ values: key.map((name) => Number(row[name])), bytes: row.bytes as Uint8Array }));
    yield* read;
    if (page.length < PAGE) return;
    after = read.at(-1)?.values ?? null;
  }
}
