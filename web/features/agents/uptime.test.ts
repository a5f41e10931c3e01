import { expect, test } from "bun:test";
import { uptimeOf } from "./uptime";

const created_at = "2026-01-01T00:00:00.000Z";

test("the uptime runs from the creation to the last report", () => {
  expect(uptimeOf({ created_at, updated_at: "2026-01-02T02:03:04.000Z" })).toBe(93_784);
});

test("before the first report there is none, and it never runs backwards", () => {
  expect(uptimeOf({ created_at, updated_at: null })).toBeNull();
  expect(uptimeOf({ created_at, updated_at: "2025-12-31T23:59:00.000Z" })).toBe(0);
});
