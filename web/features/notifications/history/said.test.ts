import { expect, test } from "bun:test";
import { saidOf } from "./said";

test.each([
  ["The provider said: no answer within 10 s", "timeout"],
  ["no answer", "unreachable"],
  ["no answer: ConnectionRefused", "unreachable"],
  ["the channel was deleted", "deleted"],
  ["the channel is gone or switched off", "gone"],
] as const)("%p is a sentence of our own", (error, ours) => {
  expect(saidOf(error)).toEqual({ ours });
});

test("a provider's words stay as they are", () => {
  expect(saidOf("The provider said: 401: Unauthorized")).toEqual({ said: "401: Unauthorized" });
  expect(saidOf("400: no answer to that")).toEqual({ said: "400: no answer to that" });
});
