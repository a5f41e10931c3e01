import { expect, test } from "bun:test";
import { uptimeOf } from "./server-facts";

const created_at = "2026-01-01T00:00:00.000Z";

test("an agent's uptime runs from its creation to its last report", () => {
  expect(uptimeOf({ created_at, updated_at: "2026-01-02T02:03:04.000Z" })).toBe(93_784);
});

test("an agent's uptime is null before the first report and never negative", () => {
  expect(uptimeOf({ created_at, updated_at: null })).toBeNull();
  expect(uptimeOf({ created_at, updated_at: "2025-12-31T23:59:00.000Z" })).toBe(0);
});
