import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import { intervalsOf, median } from "./pings";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

test("intervals are between reports of results, and leave starts and logs out", () => {
  const pings = [
    { kind: "fail", at: at(17) },
    { kind: "log", at: at(16) },
    { kind: "start", at: at(15) },
    { kind: "success", at: at(10) },
    { kind: "success", at: at(0) },
  ] as const;
  expect(intervalsOf(pings)).toEqual([
    { at: at(10), length: 600_000 },
    { at: at(17), length: 420_000 },
  ]);
  expect(intervalsOf([{ kind: "success", at: at(0) }])).toEqual([]);
});

test("the median of an even number of values is the higher one in the middle", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 3]);
});
