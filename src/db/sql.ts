import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { processDialect } from "../core/config";

/** A column of a table of values, by the standard's name of its type. */
export type ValueType = "bigint" | "integer" | "double precision" | "text" | "boolean" | "json";

/*
 * Many values travel as one JSON text: one parameter for thousands of rows, in a statement whose text stays the same.
 * This is the one place where the engines are spoken to differently.
 */

/**
 * Rows as a common table expression, to join many new values with what is stored in one statement:
 * `with results(monitor_id, up) as (…) `.
 */
export const withValues = (
  name: string,
  columns: Record<string, ValueType>,
  rows: readonly (readonly unknown[])[],
): SQL => {
  const entries = Object.entries(columns);
  const read = (type: ValueType, index: number) => {
    // A JSON null is stored as a null.
    if (type === "json") return `nullif(row.value -> ${index}, 'null')`;
    return processDialect === "sqlite" ? `row.value ->> ${index}` : `cast(row.value ->> ${index} as ${type})`;
  };
  const picked = entries.map(([column, type], index) => `${read(type, index)} as ${column}`).join(", ");
  return sql`with ${sql.raw(name)} as (select ${sql.raw(picked)} from ${elements(rows)} as row) `;
};

/** Whether a column holds one of these numbers or texts, however many they are. */
export const isOneOf = (column: SQLWrapper, values: readonly number[] | readonly string[]): SQL => {
  const text = sql.raw("row.value #>> '{}'");
  const read =
    processDialect === "sqlite"
      ? sql.raw("row.value")
      : typeof values[0] === "string"
        ? text
        : sql`cast(${text} as bigint)`;
  return sql`${column} in (select ${read} from ${elements(values)} as row)`;
};

/**
 * What to begin a transaction with so that nobody else changes these rows before it ends. They are taken in the order
 * of their ids, so that no two wait for each other. SQLite has one writer at a time anyway.
 */
export const lockRows = (table: SQLWrapper, id: SQLWrapper, condition: SQL | undefined): SQL[] =>
  processDialect === "sqlite" ? [] : [sql`select 1 from ${table} where ${condition} order by ${id} for update`];

/** The same, save that others may go on making rows that refer to these. */
export const lockRowsLightly = (table: SQLWrapper, id: SQLWrapper, condition: SQL): SQL[] =>
  processDialect === "sqlite" ? [] : [sql`select 1 from ${table} where ${condition} order by ${id} for no key update`];

/** How many bytes a text or JSON column holds. SQLite knows that of a text without reading it. */
export const byteLength = (column: SQLWrapper): SQL =>
  processDialect === "sqlite" ? sql`octet_length(${column})` : sql`octet_length(cast(${column} as text))`;

/** Any number that no other lock of the product has. */
const ALERTS = 7_219_002;

/**
 * What to begin a transaction with that changes many alerts: they are written by one at a time, whatever rows it turns
 * out to be about, and after where monitors and agents stand.
 */
export const lockAlerts: SQL[] = processDialect === "sqlite" ? [] : [sql`select pg_advisory_xact_lock(${ALERTS})`];

/** What to end a selection of rows to change with, so that it leaves out those that somebody else changes now. */
export const skipLocked: SQL = processDialect === "sqlite" ? sql`` : sql.raw(" for update skip locked");

const elements = (values: readonly unknown[]): SQL =>
  processDialect === "sqlite"
    ? sql`json_each(${JSON.stringify(values)})`
    : sql`jsonb_array_elements(cast(cast(${JSON.stringify(values)} as text) as jsonb))`;
