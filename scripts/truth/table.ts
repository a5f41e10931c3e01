/** Rows and measures as text. */
import type { Row } from "./compare";
import type { Measure } from "./measures";

const seconds = (value: number): string => (value / 1000).toFixed(1);
const points = (value: number): string => value.toFixed(2);

const FORMATS: Partial<Record<keyof Row, (value: number) => string>> = {
  ...{ detected: seconds, start: seconds, end: seconds, told: seconds },
  ...{ uptime: points, watched: points },
};

const align = (lines: string[][]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (word: string, column: number) =>
    column === 0 ? word.padEnd(widths[column] ?? 0) : word.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ")).join("\n");
};

/** The rows as a table of fixed width. Times are in seconds, uptimes in points, shares in percent. */
export const tableOf = (rows: Row[]): string => {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  const cell = (row: Row, column: keyof Row): string => {
    const value = row[column];
    if (typeof value === "string") return value;
    return value === null ? "-" : (FORMATS[column] ?? String)(value);
  };
  return align([columns, ...rows.map((row) => columns.map((column) => cell(row, column)))]);
};

const UNITS: Record<Measure["unit"], (value: number) => string> = {
  s: (value) => `${seconds(value)} s`,
  points,
  messages: String,
};

export const measuresOf = (measures: readonly Measure[]): string =>
  align([
    ["measure", "value", "limit"],
    ...measures.map(({ name, value, limit, unit }) => [
      name,
      value === null ? "-" : UNITS[unit](value),
      UNITS[unit](limit),
    ]),
  ]);
