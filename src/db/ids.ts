import { getTableName, sql, type Table } from "drizzle-orm";
import { processDialect } from "../core/config";
import type { Database } from "./database";

/**
 * Reserves ids of a table, so that rows written in one transaction can refer to each other.
 * Unused ids are lost.
 */
export const reserveIds = async (db: Database, table: Table, count: number): Promise<number[]> => {
  if (count === 0) return [];
  const name = getTableName(table);
  if (processDialect === "postgres") {
    const rows = await db.rows<{ id: number | string }>(
      sql`select nextval(pg_get_serial_sequence(${name}, 'id')) as id from generate_series(1, cast(${count} as bigint))`,
    );
    return rows.map(({ id }) => Number(id));
  }
  const [, updated] = await db.atomically(() => [
    sql`insert into sqlite_sequence (name, seq) select ${name}, 0
      where not exists (select 1 from sqlite_sequence where name = ${name})`,
    sql`update sqlite_sequence set seq = seq + ${count} where name = ${name} returning seq`,
  ]);
  const last = Number((updated as { seq: number }[])[0]?.seq);
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
};
