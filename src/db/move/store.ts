import type { Dialect } from "../../shared/dialect";
import type { Kind, TableShape } from "./tables";

/** A row in the order of its table's columns, in values that do not tell which engine they come from. */
export type Row = unknown[];

/** The row of the settings that says how far a database is moved. It is the target's own and is not moved itself. */
export const MARK = "moving";

/** One of the two databases of a move. */
export type Store = {
  engine: Dialect;
  /** What it is called in what is said of it: without a password. */
  name: string;
  /** The times of the migrations that it has had; none in one that is not ours. */
  migrated: () => Promise<number[]>;
  /** Brings it to this version's tables. */
  migrate: () => Promise<void>;
  /** From here on it is read as it is now, whoever writes, until `endSnapshot`. */
  beginSnapshot: () => Promise<void>;
  endSnapshot: () => Promise<void>;
  count: (table: TableShape) => Promise<number>;
  /** The rows after a key, in the order of the keys. */
  read: (table: TableShape, after: Row | null, limit: number) => Promise<Row[]>;
  /** Writes rows and the mark that says so, all or nothing. */
  write: (table: TableShape, rows: Row[], mark: string) => Promise<void>;
  readMark: () => Promise<string | null>;
  /** Without a text the mark goes. */
  writeMark: (mark: string | null) => Promise<void>;
  /** The highest id that a table has ever given. */
  lastId: (table: TableShape) => Promise<number>;
  /** Has the next row of a table get a higher id than this. */
  raiseLastId: (table: TableShape, id: number) => Promise<void>;
  /** When a console last said that it runs on it, in epoch milliseconds; 0 for never. */
  lastSeen: () => Promise<number>;
  /** Has what was written found quickly, and kept. */
  settle: () => Promise<void>;
  close: () => Promise<void>;
};

/** The part of a table that is moved. */
export const movedPart = ({ name }: TableShape): string => (name === "app_settings" ? `"key" <> '${MARK}'` : "true");

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

const whole = (value: unknown): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${String(value)} stands where a whole number belongs`);
  return number;
};

/** JSON has no such numbers; as texts they get through. */
const real = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number);
};

/** What an engine gave, as a value that does not tell which engine it was. */
export const neutral = (kind: Kind, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (kind === "whole") return whole(value);
  if (kind === "real") return real(value);
  if (kind === "flag") return value === true || value === 1;
  if (kind === "json" && typeof value === "string") return JSON.parse(value);
  return value;
};

/** JSON whose names are in order: PostgreSQL keeps them in one of its own. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, ordered(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** A number that is the same for the same row, and for hardly any other. */
export const fingerprint = ({ columns }: TableShape, row: Row): bigint => {
  const plain = row.map((value, index) => (columns[index]?.kind === "json" ? ordered(value) : value));
  return Bun.hash.wyhash(JSON.stringify(plain));
};

/** The key of a row. */
export const keyOf = ({ columns, key }: TableShape, row: Row): Row =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)]);
