import { type SQL, sql } from "drizzle-orm";

/** A column of a table of values: its SQL type is the standard's name, which both engines read alike. */
export type ValueType = "bigint" | "integer" | "double precision" | "text" | "boolean";

/**
 * Rows as a common table expression, to join many new values with what is stored in one statement:
 * `with results(monitor_id, up) as (values (…), (…)) `. PostgreSQL takes the types of the first row.
 */
export const withValues = (
  name: string,
  columns: Record<string, ValueType>,
  rows: readonly (readonly unknown[])[],
): SQL => {
  const types = Object.values(columns);
  const names = sql.raw(`${name}(${Object.keys(columns).join(", ")})`);
  const first = rows[0]!.map((value, index) => sql`cast(${value} as ${sql.raw(types[index]!)})`);
  const tuples = [sql`(${sql.join(first, COMMA)})`];
  for (const row of rows.slice(1))
    tuples.push(
      sql`(${sql.join(
        row.map((value) => sql`${value}`),
        COMMA,
      )})`,
    );
  return sql`with ${names} as (values ${sql.join(tuples, COMMA)}) `;
};

const COMMA = sql.raw(", ");
