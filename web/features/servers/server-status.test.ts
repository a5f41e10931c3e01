import { expect, test } from "bun:test";
import { toAgentStatus } from "./server-status";

test("an unknown agent status counts as inactive", () => {
  expect(["active", "inactive", "connecting", "paused", "", null, undefined].map(toAgentStatus)).toEqual([
    "active",
    "inactive",
    "connecting",
    "inactive",
    "inactive",
    "inactive",
    "inactive",
  ]);
});
