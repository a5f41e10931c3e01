import { expect, test } from "bun:test";
import { toAgentStatus } from "./agent-status";

test("known words are kept, anything else is inactive", () => {
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
