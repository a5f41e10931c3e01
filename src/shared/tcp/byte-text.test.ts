import { expect, it } from "bun:test";
import { bytesOf } from "./byte-text";

const asText = (text: string) => {
  const bytes = bytesOf(text);
  return bytes && [...bytes];
};

it("a text stands for its bytes in UTF-8, with escapes for those that cannot be typed", () => {
  expect(asText("")).toEqual([]);
  expect(asText("é")).toEqual([0xc3, 0xa9]);
  expect(asText("PING\r\n")).toEqual([80, 73, 78, 71, 13, 10]);
  expect(asText("PING\\r\\n")).toEqual([80, 73, 78, 71, 13, 10]);
  expect(asText("\\0\\t\\\\\\x0a\\xFFx")).toEqual([0, 9, 92, 10, 255, 120]);
});

it("hexadecimal digits stand for bytes, with or without spaces", () => {
  expect(asText("hex:")).toEqual([]);
  expect(asText("hex:0a0B")).toEqual([10, 11]);
  expect(asText("HEX: 0a 0b\n0c")).toEqual([10, 11, 12]);
});

it("malformed digits and escapes have no bytes", () => {
  for (const text of ["hex:0", "hex:zz", "hex:0x0a", "\\", "\\q", "\\x", "\\x1", "\\R", "\\xgg", "a\\"])
    expect([text, bytesOf(text)]).toEqual([text, null]);
});
