import { expect, test } from "bun:test";
import { toSlots } from "./slots";

const states = (history: Parameters<typeof toSlots>[0], count: number) =>
  toSlots(history, count).map(({ state }) => state);

test("a short history is padded on the left", () => {
  expect(states(["up", "down"], 4)).toEqual(["empty", "empty", "up", "down"]);
});

test("a long history keeps the newest", () => {
  expect(states(["down", "up", "up"], 2)).toEqual(["up", "up"]);
});

test("no history is all empty", () => {
  expect(states([], 24)).toEqual(Array.from({ length: 24 }, () => "empty"));
});

test("plain words and objects both count, and what is not known is unknown", () => {
  expect(states(["up", { status: "down" }, { status: "unknown" }, "pending"], 4)).toEqual([
    "up",
    "down",
    "unknown",
    "unknown",
  ]);
});
