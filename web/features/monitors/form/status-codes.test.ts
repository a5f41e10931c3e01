import { expect, test } from "bun:test";
import { codesOf, expectedText, isUnlisted } from "./status-codes";

test("one digit means the whole class", () => {
  expect(expectedText(2)).toBe("2xx");
  expect(expectedText(204)).toBe("204");
});

test("a code set elsewhere is offered too, in its place", () => {
  expect(codesOf(2, 299).at(-1)).toBe(299);
  expect(codesOf(4, 299)).not.toContain(299);
});

test("only what no group holds is offered by itself", () => {
  expect([1, 101].map(isUnlisted)).toEqual([true, true]);
  expect([2, 5, 200, 299, 599].some(isUnlisted)).toBe(false);
});
