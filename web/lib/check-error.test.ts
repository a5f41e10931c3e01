import { expect, test } from "bun:test";
import { reasonOf } from "./check-error";

test("the first word tells the reason, whatever follows it", () => {
  expect(reasonOf("status: 503, expected 2xx")).toBe("status");
  expect(reasonOf("timeout: no complete answer within 30 s")).toBe("timeout");
  expect(reasonOf("dns")).toBe("dns");
});

test("an unknown word is no reason of ours", () => {
  expect(reasonOf("statuses")).toBeUndefined();
  expect(reasonOf("")).toBeUndefined();
});
