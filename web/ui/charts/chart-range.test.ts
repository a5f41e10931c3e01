import { expect, test } from "bun:test";
import { DAY, HOUR } from "../../../src/shared/limits";
import { chartQuery, problemOf, spanIn, windowOf, withSpan } from "./chart-range";

const noon = Date.parse("2026-01-15T12:00:00Z");

test("the span of a chart is in the address beside what else is there, and can be removed", () => {
  const span = { from: noon, to: noon + HOUR };
  const search = withSpan(new URLSearchParams("tab=overview"), span);
  expect(search.toString()).toBe("tab=overview&from=2026-01-15T12%3A00%3A00.000Z&to=2026-01-15T13%3A00%3A00.000Z");
  expect(spanIn(search)).toEqual(span);
  expect(withSpan(search, undefined).toString()).toBe("tab=overview");
});

test("an address without two times has no span", () => {
  for (const bad of ["", "from=2026-01-15", "from=yesterday&to=2026-01-15", "from=&to="])
    expect(spanIn(new URLSearchParams(bad))).toBeUndefined();
});

test("a span that ends before it begins, or is longer than 400 days, is refused", () => {
  expect(problemOf({ from: noon, to: noon + HOUR })).toBeUndefined();
  expect(problemOf({ from: noon, to: noon + 400 * DAY + HOUR })).toBeUndefined();
  expect(problemOf({ from: noon, to: noon - HOUR })).toBe("backwards");
  expect(problemOf({ from: noon, to: noon })).toBe("backwards");
  expect(problemOf({ from: noon - 10 * 365 * DAY, to: noon })).toBe("tooLong");
});

test("a call gets a range, or the two times of a span", () => {
  expect(chartQuery("7d")).toEqual({ range: "7d" });
  expect(chartQuery({ from: noon, to: noon + HOUR })).toEqual({
    from: "2026-01-15T12:00:00.000Z",
    to: "2026-01-15T13:00:00.000Z",
  });
});

test("a chart covers its span, or its range up to now", () => {
  expect(windowOf({ from: noon, to: noon + HOUR }, [], noon + DAY)).toEqual([noon / 1000, (noon + HOUR) / 1000]);
  expect(windowOf("24h", [{ t: noon - 2 * DAY }], noon)).toEqual([(noon - DAY) / 1000, noon / 1000]);
});
