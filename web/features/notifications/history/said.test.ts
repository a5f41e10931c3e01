import { expect, test } from "bun:test";
import { deliveryErrorText } from "./said";

test.each([
  ["The provider said: no answer within 10 s", "timeout"],
  ["no answer", "unreachable"],
  ["no answer: ConnectionRefused", "unreachable"],
  ["the channel was deleted", "deleted"],
  ["the channel is gone or switched off", "gone"],
] as const)("%p is a sentence of our own", (error, ours) => {
  expect(deliveryErrorText(error)).toEqual({ ours });
});

test("a provider's words stay as they are", () => {
  expect(deliveryErrorText("The provider said: 401: Unauthorized")).toEqual({ said: "401: Unauthorized" });
  expect(deliveryErrorText("400: no answer to that")).toEqual({ said: "400: no answer to that" });
});
