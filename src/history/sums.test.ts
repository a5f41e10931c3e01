import { describe, expect, it } from "bun:test";
import { checkShape } from "../modules/monitors/history/shape";
import * as monitors from "../modules/monitors/history/sums";
import { sampleShape } from "../modules/servers/history/shape";
import * as agents from "../modules/servers/history/sums";
import { HOUR } from "../shared/limits";
import { START } from "../testing/clock";
import { anySampleAt, checkAt } from "../testing/fixtures/history-rows";
import { fc } from "../testing/property";
import type { SumTable } from "./shape";

const hour = Math.floor(START / HOUR);
const time = fc.integer({ min: hour * HOUR, max: (hour + 1) * HOUR - 1 });

const tables = [
  { name: "the hours of checks", table: monitors.hourSums, row: checkAt(time), timeOf: checkShape.timeOf },
  { name: "the ten minutes of samples", table: agents.tenSums, row: anySampleAt(time), timeOf: sampleShape.timeOf },
  { name: "the hours of samples", table: agents.hourSums, row: anySampleAt(time), timeOf: sampleShape.timeOf },
] as unknown as {
  name: string;
  table: SumTable<unknown, unknown>;
  row: fc.Arbitrary<unknown>;
  timeOf: (row: unknown) => number;
}[];

/** Without the error of binary fractions. */
const close = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part) =>
      part instanceof Map
        ? [...part].sort(([a], [b]) => a - b)
        : typeof part === "number"
          ? Math.round(part * 1000) / 1000
          : part,
    ),
  );

describe.each(tables)("the sums of $name", ({ table, row, timeOf }) => {
  const anyRows = fc.array(row, { maxLength: 10 }).map((rows) => rows.toSorted((a, b) => timeOf(a) - timeOf(b)));

  it("of parts add up to those of all rows", () => {
    fc.assert(
      fc.property(fc.array(anyRows, { maxLength: 5 }), (parts) => {
        const all = parts.flat().toSorted((a, b) => timeOf(a) - timeOf(b));
        expect(close(table.add(parts.map((rows) => table.sum(rows))))).toEqual(close(table.sum(all)));
      }),
    );
  });

  it("are read from their columns as they were written", () => {
    const names = Object.keys(table.columns);
    fc.assert(
      fc.property(anyRows, (rows) => {
        const sums = table.sum(rows);
        const stored = table
          .values(sums, hour)
          .map((value, index) =>
            table.columns[names[index]!] === "bytes" ? new Uint8Array(Buffer.from(String(value), "hex")) : value,
          );
        const read = table.read(Object.fromEntries(names.map((name, index) => [name, stored[index]])), hour);
        expect(close(read)).toEqual(close(sums));
      }),
    );
  });
});
