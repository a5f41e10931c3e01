import { expect, test } from "bun:test";
import { toSlots } from "./slots";

const states = (history: Parameters<typeof toSlots>[0], count: number) =>
  toSlots(history, count).map(({ state }) => state);

test("toSlots pads a short history on the left", () => {
  expect(states(["up", "down"], 4)).toEqual(["empty", "empty", "up", "down"]);
});

test("toSlots keeps the newest checks of a long history", () => {
  expect(states(["down", "up", "up"], 2)).toEqual(["up", "up"]);
});

test("toSlots returns only empty slots without a history", () => {
  expect(states([], 24)).toEqual(Array.from({ length: 24 }, () => "empty"));
});

test("toSlots accepts statuses and objects, and maps an unrecognized status to unknown", () => {
  expect(states(["up", { status: "down" }, { status: "unknown" }, "pending"], 4)).toEqual([
    "up",
    "down",
    "unknown",
    "unknown",
  ]);
});
