import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { codesOf, expectedText, isUnlisted } from "./status-select";

test("an expected status of one digit stands for the whole class", () => {
  expect(expectedText(2)).toBe("2xx");
  expect(expectedText(204)).toBe("204");
});

test("a stored code that the form does not offer is listed in its class", () => {
  expect(codesOf(2, 299).at(-1)).toBe(299);
  expect(codesOf(4, 299)).not.toContain(299);
});

test("a stored code outside every class is listed without a group", () => {
  expect([1, 101].map(isUnlisted)).toEqual([true, true]);
  expect([2, 5, 200, 299, 599].some(isUnlisted)).toBe(false);
});
