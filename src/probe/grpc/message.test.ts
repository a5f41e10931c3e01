import { expect, it } from "bun:test";
import { healthRequest, healthStatus } from "./message";

const hex = (bytes: Buffer) => bytes.toString("hex");

it("a request names its service, or none", () => {
  expect(hex(healthRequest(""))).toBe("0000000000");
  expect(hex(healthRequest("shop"))).toBe("00000000060a0473686f70");
  expect(hex(healthRequest("x".repeat(200)))).toStartWith("00000000cb0ac801");
});

it("the status is read from a whole message that has nothing else", () => {
  const status = (text: string) => healthStatus(Buffer.from(text, "hex"));
  expect(status("0000000000")).toBe(0);
  expect(status("00000000020801")).toBe(1);
  expect(status("00000000020802")).toBe(2);
  for (const other of [
    "",
    "00",
    "01000000020801",
    "00000000030801",
    "0000000002",
    "00000000021001",
    "0000000002088f",
    "000000000108",
  ])
    expect([other, status(other)]).toEqual([other, null]);
});
