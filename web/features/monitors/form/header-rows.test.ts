import { expect, test } from "bun:test";
import { changeRow, removeRow, toRows } from "./header-rows";

const names = (rows: ReturnType<typeof toRows>) => rows.map(({ name }) => name);

test("there is always one blank row to write into", () => {
  expect(names(toRows({}))).toEqual([""]);
  expect(names(toRows({ Accept: "*/*" }))).toEqual(["Accept", ""]);
});

test("writing into the blank row adds the next one", () => {
  const rows = toRows({});
  expect(names(changeRow(rows, rows[0]!.key, { name: "A" }))).toEqual(["A", ""]);
});

test("removing every row leaves a blank one, and keys stay different", () => {
  const rows = toRows({ A: "1", B: "2" });
  const less = removeRow(rows, rows[0]!.key);
  expect(names(less)).toEqual(["B", ""]);
  expect(new Set(less.map(({ key }) => key)).size).toBe(2);
  expect(names(less.reduce((left, { key }) => removeRow(left, key), less))).toEqual([""]);
});
