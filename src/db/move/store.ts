import { type Column, is, Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Dialect } from "../../core/config";
import { tableConfig } from "../columns";
import { type Kind, kindOf } from "../kind";
import * as schema from "../schema";

/** A table by its stored names. */
export type TableShape = {
  name: string;
  columns: { name: string; kind: Kind }[];
  /** The columns of its primary key, in the key's order. */
  key: string[];
  /** Whether it has a generated column `id`. */
  numbered: boolean;
};

type Schema = Parameters<typeof tableConfig>[0];
const columnName = ({ name }: { name: string }) => toSnakeCase(name);

/** Whether the engine generates the values of a column. */
const isGenerated = (column: Column): boolean =>
  (column as { autoIncrement?: boolean }).autoIncrement === true || column.generatedIdentity !== undefined;

const shapeOf = (table: Schema): TableShape => {
  const { name, columns, primaryKeys } = tableConfig(table);
  const single = columns.filter(({ primary }) => primary).map(columnName);
  const key = primaryKeys[0]?.columns.map(columnName) ?? single;
  return {
    name,
    columns: columns.map((column) => ({ name: columnName(column), kind: kindOf(column) })),
    key,
    numbered: columns.some(isGenerated),
  };
};

const parentsOf = (table: Schema): string[] =>
  tableConfig(table).foreignKeys.map((key) => tableConfig(key.reference().foreignTable as Schema).name);

const all = (Object.values(schema) as unknown[]).filter((value): value is Schema => is(value, Table));

/** Every table of the schema, ordered so that referenced tables come first. */
export const tables: readonly TableShape[] = (() => {
  const sorted: Schema[] = [];
  const place = (table: Schema) => {
    if (sorted.includes(table)) return;
    const parents = parentsOf(table);
    for (const parent of all.filter((one) => one !== table && parents.includes(tableConfig(one).name))) place(parent);
    sorted.push(table);
  };
  all.forEach(place);
  return sorted.map(shapeOf);
})();

/** A row in the order of its table's columns, in engine-independent values. */
export type Row = unknown[];

/** The key of the progress mark in the target's app_settings, which is not moved itself. */
export const MARK = "moving";

/** The statement that writes the first progress mark. */
export const markStatement = (mark: string): string =>
  `insert into app_settings (key, value) values ('${MARK}', '${mark.replaceAll("'", "''")}')`;

/** One of the two databases of a move. */
export type Store = {
  engine: Dialect;
  /** Its name in messages, without a password. */
  name: string;
  /** The times of its applied migrations; empty for a foreign database. */
  migrated: () => Promise<number[]>;
  /** Applies the missing migrations, and writes the progress mark in the same transaction. */
  migrate: (mark?: string) => Promise<void>;
  /** Starts a read snapshot that lasts until `endSnapshot`. */
  beginSnapshot: () => Promise<void>;
  endSnapshot: () => Promise<void>;
  count: (table: TableShape) => Promise<number>;
  /** The rows after a key, ordered by key. */
  read: (table: TableShape, after: Row | null, limit: number) => Promise<Row[]>;
  /** Writes rows and the progress mark in one transaction. */
  write: (table: TableShape, rows: Row[], mark: string) => Promise<void>;
  readMark: () => Promise<string | null>;
  /** Null removes the mark. */
  writeMark: (mark: string | null) => Promise<void>;
  /** The highest id that a table has ever generated. */
  lastId: (table: TableShape) => Promise<number>;
  /** Makes the next generated id of a table higher than this. */
  raiseLastId: (table: TableShape, id: number) => Promise<void>;
  /** The last heartbeat of a hub, in epoch milliseconds; 0 for never. */
  lastSeen: () => Promise<number>;
  /** Updates the planner's statistics and flushes to disk. */
  settle: () => Promise<void>;
  close: () => Promise<void>;
};

/** The SQL condition of the rows that are moved. */
export const movedPart = ({ name }: TableShape): string => (name === "app_settings" ? `"key" <> '${MARK}'` : "true");

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

const whole = (value: unknown): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${String(value)} stands where a whole number belongs`);
  return number;
};

/** JSON has no NaN and infinities, so they are sent as text. */
const real = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number);
};

/** Converts a value of an engine to an engine-independent one. */
export const neutral = (kind: Kind, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (kind === "whole") return whole(value);
  if (kind === "real") return real(value);
  if (kind === "flag") return value === true || value === 1;
  if (kind === "bytes") return Buffer.from(value as Uint8Array).toString("hex");
  if (kind === "json" && typeof value === "string") return JSON.parse(value);
  return value;
};

/** Serializes JSON with sorted names, because PostgreSQL reorders them. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, ordered(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** A hash of a row. */
export const fingerprint = ({ columns }: TableShape, row: Row): bigint => {
  const plain = row.map((value, index) => (columns[index]?.kind === "json" ? ordered(value) : value));
  return Bun.hash.wyhash(JSON.stringify(plain));
};

/** The key of a row. */
export const keyOf = ({ columns, key }: TableShape, row: Row): Row =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)]);
