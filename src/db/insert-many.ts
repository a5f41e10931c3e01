import { getTableColumns, type InferInsertModel, sql, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Database } from "./database";
import { type Kind, kindOf } from "./kind";
import { hex, withValues } from "./sql";

const TYPES = {
  whole: "bigint",
  real: "double precision",
  text: "text",
  flag: "boolean",
  json: "json",
  bytes: "bytes",
} as const satisfies Record<Kind, string>;

/**
 * Inserts rows that have values for the same columns in one statement, which is the same text for any number of rows.
 * With `skipExisting`, rows that violate a unique index are left out.
 */
export const insertMany = async <T extends Table>(
  db: Pick<Database, "rows">,
  table: T,
  rows: readonly InferInsertModel<T>[],
  { skipExisting = false } = {},
): Promise<void> => {
  const [first] = rows as readonly Record<string, unknown>[];
  if (!first) return;
  const columns = Object.entries(getTableColumns(table))
    .filter(([field]) => field in first)
    .map(([field, column]) => ({ field, name: toSnakeCase(column.name), type: TYPES[kindOf(column)] }));
  const parameterOf =
    (row: Record<string, unknown>) =>
    ({ field, type }: (typeof columns)[number]) => {
      const value = row[field] ?? null;
      return type === "bytes" ? hex(value as Uint8Array | null) : value;
    };
  const values = withValues(
    "given",
    Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    (rows as readonly Record<string, unknown>[]).map((row) => columns.map(parameterOf(row))),
  );
  const names = sql.raw(columns.map(({ name }) => name).join(", "));
  const conflict = skipExisting ? sql`where true on conflict do nothing` : sql``;
  await db.rows(sql`${values} insert into ${table} (${names}) select ${names} from given ${conflict}`);
};
