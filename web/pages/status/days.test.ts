import { expect, test } from "bun:test";
import { noonOf, shareOf, toneOf } from "./days";

test.each([
  [1440, 0, "good"],
  [9990, 10, "good"],
  [9989, 11, "fair"],
  [99, 1, "fair"],
  [989, 11, "poor"],
  [95, 5, "poor"],
  [949, 51, "bad"],
  [0, 1, "bad"],
  [0, 0, "none"],
])("a day of %d good and %d failed checks is %s", (up, down, tone) =>
  expect(toneOf({ date: "", up, down })).toBe(tone as "good"),
);

test("a share is never rounded up to a perfect one", () => {
  expect(shareOf({ up: 99_999, down: 1 })).toBe(99.99);
  expect(shareOf({ up: 5, down: 0 })).toBe(100);
  expect(shareOf({ up: 0, down: 0 })).toBeNull();
});

test("a date is the same date in every zone", () => {
  const noon = noonOf("2026-03-29");
  expect([noon.getFullYear(), noon.getMonth(), noon.getDate()]).toEqual([2026, 2, 29]);
});
