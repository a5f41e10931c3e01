import { expect, test } from "bun:test";
import { resourceLevel } from "./resource-level";

test("green below half, amber below three quarters, red from there", () => {
  expect([0, 49.9, 50, 74.9, 75, 100].map(resourceLevel)).toEqual(["green", "green", "amber", "amber", "red", "red"]);
});
