import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { parseDeliveryError } from "./labels";

test.each([
  ["The provider said: no answer within 10 s", "timeout"],
  ["no answer", "unreachable"],
  ["no answer: ConnectionRefused", "unreachable"],
  ["the channel was deleted", "deleted"],
  ["the channel is gone or switched off", "gone"],
] as const)("the delivery error %p is one of the hub's own", (error, known) => {
  expect(parseDeliveryError(error)).toEqual({ known });
});

test("a provider's answer stays unchanged", () => {
  expect(parseDeliveryError("The provider said: 401: Unauthorized")).toEqual({ answer: "401: Unauthorized" });
  expect(parseDeliveryError("400: no answer to that")).toEqual({ answer: "400: no answer to that" });
});
