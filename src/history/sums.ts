import { hex } from "../db/sql";
import { addHistograms, decodeHistogram, encodeHistogram, type Histogram } from "./histogram";
import type { Columns } from "./shape";

/** One figure of sums: how its column is read and written, and how the figures of several spans are added up. */
type Figure<Value> = {
  type: Columns[string];
  read: (stored: unknown) => Value;
  write: (value: Value) => unknown;
  add: (values: readonly Value[]) => Value;
};

/** The sums that consist of some figures. */
export type SumsOf<Figures> = {
  [Name in keyof Figures]: Figures[Name] extends Figure<infer Value> ? Value : never;
};

const unchanged = <Value>(value: Value): Value => value;
const totalOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Rounds to hundredths: totals of figures with this resolution then have no error of binary fractions. */
const exact = (total: number): number => Math.round(total * 100) / 100;

export const count: Figure<number> = { type: "integer", read: Number, write: unchanged, add: totalOf };
export const total: Figure<number> = { ...count, type: "double precision" };
export const totalOfHundredths: Figure<number> = {
  ...total,
  read: (stored) => exact(Number(stored)),
  add: (values) => exact(totalOf(values)),
};

/** The lowest or the highest of values; null without any. */
const extreme = (of: (a: number, b: number) => number): Figure<number | null> => ({
  type: "double precision",
  read: (stored) => (stored === null ? null : Number(stored)),
  write: unchanged,
  add: (values) => values.reduce<number | null>((a, b) => (a === null ? b : b === null ? a : of(a, b)), null),
});
export const lowest = extreme(Math.min);
export const highest = extreme(Math.max);

export const histogram: Figure<Histogram> = {
  type: "bytes",
  read: (stored) => decodeHistogram(stored as Uint8Array | null),
  write: (value) => hex(encodeHistogram(value)),
  add: addHistograms,
};

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of sums, from figures whose columns are named like them: `totalTime` is in `total_time`. */
export const createSums = <Sums extends object>(figures: { [Name in keyof Sums]: Figure<Sums[Name]> }) => {
  const names = Object.keys(figures) as (keyof Sums & string)[];
  const columns = Object.fromEntries(names.map((name) => [columnOf(name), figures[name].type]));
  const columnNames = Object.keys(columns);
  return {
    columns,
    /** Converts a row of either engine. */
    read: (stored: Record<string, unknown>): Sums => {
      const sums = {} as Sums;
      for (const [index, name] of names.entries())
        sums[name] = figures[name].read(stored[columnNames[index] as string]);
      return sums;
    },
    values: (sums: Sums): unknown[] => names.map((name) => figures[name].write(sums[name])),
    add: (parts: readonly Sums[]): Sums => {
      const sums = {} as Sums;
      for (const name of names) sums[name] = figures[name].add(parts.map((part) => part[name]));
      return sums;
    },
  };
};
