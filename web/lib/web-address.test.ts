import { expect, test } from "bun:test";
import { ADDRESS_PATTERN, isPrivateAddress, withScheme } from "./web-address";

test("withScheme adds https:// to an address without a scheme, and http:// to a local one", () => {
  for (const [typed, expected] of [
    ["example.com", "https://example.com"],
    [" example.com:8443/health?a=1 ", "https://example.com:8443/health?a=1"],
    ["192.0.2.7/status", "http://192.0.2.7/status"],
    ["[2001:db8::1]:8080", "http://[2001:db8::1]:8080"],
    ["localhost:3000", "http://localhost:3000"],
    ["nas.local", "http://nas.local"],
    ["intranet", "http://intranet"],
    ["http://example.com", "http://example.com"],
    ["HTTPS://example.com", "HTTPS://example.com"],
    ["", ""],
  ] as const)
    expect(withScheme(typed)).toBe(expected);
});

test("the pattern of the address field accepts addresses with and without a scheme, and nothing else", () => {
  const isAccepted = (text: string) => new RegExp(`^(?:${ADDRESS_PATTERN})$`, "v").test(text);
  for (const text of [
    "https://example.com/",
    "example.com",
    "localhost:3000/x",
    "[::1]:80",
    "\thttp://x",
    " example.com",
  ])
    expect([text, isAccepted(text)]).toEqual([text, true]);
  for (const text of [
    "ftp://example.com/",
    "x https://example.com/",
    "mailto:a@example.com",
    "javascript:alert(1)",
    "a b",
  ])
    expect([text, isAccepted(text)]).toEqual([text, false]);
});

test("isPrivateAddress recognizes literal private addresses and local domains", () => {
  const own =
    "localhost:3000 http://127.1/ https://2130706433/ 10.0.0.1 192.168.1.1/x 172.31.0.1 169.254.169.254 100.64.0.1";
  const sixes = "http://[::1]:80/ http://[fd00::1]/ http://[fe80::1]/ http://[::ffff:10.0.0.1]/ nas.local a.localhost";
  const others =
    "example.com 8.8.8.8 172.32.0.1 100.128.0.1 http://[2606:4700::1]/ local.example.com localhost.example 11.1.1.1";
  expect(`${own} ${sixes}`.split(" ").filter((text) => !isPrivateAddress(text))).toEqual([]);
  expect(`${others} http://`.split(" ").filter(isPrivateAddress)).toEqual([]);
  expect(isPrivateAddress("")).toBe(false);
});
