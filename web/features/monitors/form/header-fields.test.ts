import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { changeRow, removeRow, toRows } from "./header-fields";

const names = (rows: ReturnType<typeof toRows>) => rows.map(({ name }) => name);

test("the header rows end with one blank row", () => {
  expect(names(toRows({}))).toEqual([""]);
  expect(names(toRows({ Accept: "*/*" }))).toEqual(["Accept", ""]);
});

test("typing into the blank header row adds another one", () => {
  const rows = toRows({});
  expect(names(changeRow(rows, rows[0]!.key, { name: "A" }))).toEqual(["A", ""]);
});

test("removing every header row leaves a blank one, and keys stay unique", () => {
  const rows = toRows({ A: "1", B: "2" });
  const less = removeRow(rows, rows[0]!.key);
  expect(names(less)).toEqual(["B", ""]);
  expect(new Set(less.map(({ key }) => key)).size).toBe(2);
  expect(names(less.reduce((left, { key }) => removeRow(left, key), less))).toEqual([""]);
});
