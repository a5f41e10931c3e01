import { expect, test } from "bun:test";
import { toServerStatus } from "./server-status";

test("an unknown agent status counts as inactive", () => {
  expect(["active", "inactive", "connecting", "paused", "", null, undefined].map(toServerStatus)).toEqual([
    "active",
    "inactive",
    "connecting",
    "inactive",
    "inactive",
    "inactive",
    "inactive",
  ]);
});
