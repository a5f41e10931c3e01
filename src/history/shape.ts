import { type SQL, sql, type Table } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Deps } from "../core/deps";
import { hex, type withValues } from "../db/sql";
import { HOUR } from "../shared/limits";
import type { Block } from "./block";
import type { Pack } from "./pack";

/** The types of columns by their names. */
export type Columns = Parameters<typeof withValues>[1];

/** A table with a row for each target and bucket of time. */
export type BucketTable = {
  table: SQLiteTable;
  /** The column of the number of a bucket. */
  bucket: "hour" | "bucket";
  /** The length of its buckets in milliseconds. */
  length: number;
};

/** A table with the sums of each bucket's rows, or with a block of all rows. */
export type SumTable<Row, Sums> = BucketTable & {
  /** Columns outside the key. */
  columns: Columns;
  /** Reads the columns of a stored row; null if they are damaged. */
  read(stored: Record<string, unknown>, bucket: number): Sums | null;
  /** The values of the columns. */
  values(sums: Sums, bucket: number): unknown[];
  sum(rows: readonly Row[]): Sums;
  /** Adds up parts of one bucket, in the order they were stored. */
  add(parts: readonly Sums[]): Sums;
};

/** The rows and tables of one kind of history. */
export type Shape<Row> = {
  /** The name of the rows in log messages. */
  rows: string;
  /** What rows belong to. Its id is in the column of this name and `_id` in each table. */
  target: "monitor" | "agent";
  /** Epoch milliseconds. */
  timeOf: (row: Row) => number;
  /** Only the first of several rows with the same key is stored. Keys are in the order of times. */
  keyOf: (row: Row) => number;
  pack: Pack<Row>;
  /** The table of packs, with the columns of their bytes and of the hour of their oldest row. */
  packs: { table: Table; hour: string; data: string };
  /** The table whose rows a transaction locks before it writes the history of their targets. */
  states: Table;
  /** The table of blocks, which hold the rows of past hours. */
  blocks: SumTable<Row, Row[]>;
  sums: readonly SumTable<Row, unknown>[];
  /** The table of the latest rows before those in the pack. */
  recent?: { table: Table; data: string; count: number };
  /** Rows of a target that wait in memory, as bytes of a pack. */
  waiting?: (db: Deps["db"], id: number) => Uint8Array | null;
  /** Runs before rows are moved out of packs. */
  beforeMove?: (deps: Pick<Deps, "db" | "clock" | "log">) => Promise<unknown>;
};

/** The column of the id of a target. */
export const idColumn = ({ target }: Pick<Shape<never>, "target">): SQL => sql.raw(`${target}_id`);

/** The hour of a row, counted from the epoch. */
export const hourOf = <Row>({ timeOf }: Pick<Shape<Row>, "timeOf">, row: Row): number => Math.floor(timeOf(row) / HOUR);

/** The first row with each key, in the order of keys. */
export const firstOfEach = <Row>(rows: readonly Row[], keyOf: (row: Row) => number): Row[] => {
  const follows = (row: Row, index: number, all: readonly Row[]): boolean =>
    index === 0 || keyOf(all[index - 1] as Row) < keyOf(row);
  // Stored rows are nearly always in order.
  return rows.every(follows) ? [...rows] : rows.toSorted((a, b) => keyOf(a) - keyOf(b)).filter(follows);
};

/** A table of blocks with an hour of one target each. */
export const blockTable = <Row, Part>(
  table: SQLiteTable,
  block: Block<Part>,
  { sum, add }: Pick<SumTable<Row, Part[]>, "sum" | "add">,
): SumTable<Row, Part[]> => ({
  table,
  bucket: "hour",
  length: HOUR,
  columns: { data: "bytes" },
  read: ({ data }, hour) => {
    const { rows, corrupt } = block.decode(hour, data as Uint8Array);
    return corrupt ? null : rows;
  },
  values: (parts, hour) => [hex(block.encode(hour, parts))],
  sum,
  add,
});

/** A table of blocks, which keep the first row with each key. */
export const rowTable = <Row>(table: SQLiteTable, block: Block<Row>, keyOf: (row: Row) => number) =>
  blockTable(table, block, {
    sum: (rows: readonly Row[]) => firstOfEach(rows, keyOf),
    add: (parts: readonly Row[][]) => firstOfEach(parts.flat(), keyOf),
  });
