import { getTableName, type SQL, type SQLWrapper, sql, type Table } from "drizzle-orm";
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

/** A column of a table of values, by the standard's name of its type. */
type ValueType = "bigint" | "integer" | "double precision" | "text" | "boolean" | "json" | "bytes";

/*
 * SQL helpers that differ between the engines. Many values are sent as one JSON text: one parameter for thousands of
 * rows, in a statement whose text stays the same.
 */

/** Rows as a selection from values: `select … as monitor_id, … as up from …`. */
export const selectValues = (columns: Record<string, ValueType>, rows: readonly (readonly unknown[])[]): SQL => {
  const read = (type: ValueType, index: number) => {
    // A JSON null is stored as SQL null.
    if (type === "json") return `nullif(row.value -> ${index}, 'null')`;
    // Bytes are sent as hexadecimal digits.
    if (type === "bytes")
      return processDialect === "sqlite" ? `unhex(row.value ->> ${index})` : `decode(row.value ->> ${index}, 'hex')`;
    return processDialect === "sqlite" ? `row.value ->> ${index}` : `cast(row.value ->> ${index} as ${type})`;
  };
  const picked = Object.entries(columns).map(([column, type], index) => `${read(type, index)} as ${column}`);
  return sql`select ${sql.raw(picked.join(", "))} from ${elements(rows)} as row`;
};

/**
 * Rows as a common table expression, to join many new values with what is stored in one statement:
 * `with results(monitor_id, up) as (…) `.
 */
export const withValues = (
  name: string,
  columns: Record<string, ValueType>,
  rows: readonly (readonly unknown[])[],
): SQL => sql`with ${sql.raw(name)} as (${selectValues(columns, rows)}) `;

/** Bytes for a column of type `bytes` in withValues. */
export const hex = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("hex");

/** Appends bytes to a column of bytes. SQLite's `||` returns the same bytes as text. */
export const appendBytes = (column: SQLWrapper, bytes: SQL): SQL =>
  processDialect === "sqlite"
    ? sql`cast(coalesce(${column}, x'') || ${bytes} as blob)`
    : sql`coalesce(${column}, ''::bytea) || ${bytes}`;

/** An IN condition for any number of numbers or texts. */
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
 * Likely spellings of a text, each with lower-case ASCII letters. SQLite's lower() changes ASCII only, so other letters are
 * tried as they are, in upper case and capitalized.
 */
const spellingsOf = (text: string): string[] => {
  const lower = text.toLowerCase();
  const capital = lower.replace(/\p{L}/u, (letter) => letter.toUpperCase());
  const likely = [text, lower, text.toUpperCase(), capital].map((way) =>
    way.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
  return [...new Set(likely)];
};

/** The condition that a text contains another one, regardless of case. Spaces around it do not count. */
export const containsText = (column: SQLWrapper, text: string): SQL => {
  const wanted = text.trim().replace(/[\\%_]/g, "\\$&");
  const matches = spellingsOf(wanted).map((way) => sql`lower(${column}) like ${`%${way}%`} escape '\\'`);
  return sql`(${sql.join(matches, sql` or `)})`;
};

/** The condition that a text is another one, regardless of case. Spaces around it do not count. */
export const equalsText = (column: SQLWrapper, text: string): SQL =>
  isOneOf(sql`lower(${column})`, spellingsOf(text.trim().normalize("NFC")));

/** A column of sort keys in the order of their bytes. */
export const inByteOrder = (column: SQLWrapper): SQL =>
  processDialect === "sqlite" ? sql`${column}` : sql`${column} collate "C"`;

/**
 * Locks rows at the start of a transaction, so that no other transaction changes them before it ends. Locks are taken
 * in the order of their ids to avoid deadlocks. SQLite has a single writer.
 */
export const lockRows = (table: SQLWrapper, id: SQLWrapper, condition: SQL | undefined): SQL[] =>
  processDialect === "sqlite" ? [] : [sql`select 1 from ${table} where ${condition} order by ${id} for update`];

/** Takes locks within a transaction that reads afterwards. */
export const lock = async (tx: Database, locks: readonly SQL[]): Promise<void> => {
  for (const statement of locks) await tx.rows(statement);
};

/** Like lockRows, but other transactions may insert rows that reference these. */
export const lockRowsLightly = (table: SQLWrapper, id: SQLWrapper, condition: SQL): SQL[] =>
  processDialect === "sqlite" ? [] : [sql`select 1 from ${table} where ${condition} order by ${id} for no key update`];

/** Size of a text or JSON column in bytes. SQLite knows it without reading the text. */
export const byteLength = (column: SQLWrapper): SQL =>
  processDialect === "sqlite" ? sql`octet_length(${column})` : sql`octet_length(cast(${column} as text))`;

/** An arbitrary advisory lock key for alerts. */
const ALERTS = 7_219_002;

/**
 * Starts a transaction that changes many alerts: only one runs at a time, whichever rows it changes,
 * and after the states of monitors and agents are locked.
 */
export const lockAlerts: SQL[] = processDialect === "sqlite" ? [] : [sql`select pg_advisory_xact_lock(${ALERTS})`];

/** An arbitrary advisory lock key for gaps. */
const GAPS = 7_219_003;

/** Starts a transaction that changes the gaps of the hub: only one runs at a time. */
export const lockGaps: SQL[] = processDialect === "sqlite" ? [] : [sql`select pg_advisory_xact_lock(${GAPS})`];

/** Ends a selection of rows to change, so that it skips rows locked by other transactions. */
export const skipLocked: SQL = processDialect === "sqlite" ? sql`` : sql.raw(" for update skip locked");

const elements = (values: readonly unknown[]): SQL =>
  processDialect === "sqlite"
    ? sql`json_each(${JSON.stringify(values)})`
    : sql`jsonb_array_elements(cast(cast(${JSON.stringify(values)} as text) as jsonb))`;
