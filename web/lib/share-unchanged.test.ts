import { expect, test } from "bun:test";
import { shareUnchanged } from "./share-unchanged";

test("what did not change is the same object; what did is the new one", () => {
  const before = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
  ];
  const after = shareUnchanged(before, [
    { id: 2, name: "b" },
    { id: 1, name: "changed" },
    { id: 3, name: "new" },
  ]);
  expect(after.map(({ name }) => name)).toEqual(["b", "changed", "new"]);
  expect(after[0]).toBe(before[1]!);
});
