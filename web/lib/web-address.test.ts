import { expect, test } from "bun:test";
import { hostOf, isPrivateAddress, isWebAddress, withScheme } from "./web-address";

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

test("isWebAddress accepts addresses with and without a scheme, and nothing else", () => {
  const accepted =
    "https://example.com/ example.com localhost:3000/x [::1]:80 http://x HTTP://x https://user:word@example.com/ 例子.测试 1.2.3.4 0x7f.1";
  const refused =
    "ftp://example.com/ htp://a.b mailto:a@example.com a@example.com javascript:alert(1) http:// https:// http:///x http:/x http://? http:x https:example.com http//example.com 1.2.3.4.5 999.1.1.1 example.com:99999 example.com:x [::1 http://%/ http://\\x";
  const others = ["x https://example.com/", "a b", "http://a b/", "", "   "];
  expect(`${accepted}`.split(" ").filter((text) => !isWebAddress(text))).toEqual([]);
  expect(isWebAddress("\thttps://example.com/a b ")).toBe(true);
  expect([...refused.split(" "), ...others].filter(isWebAddress)).toEqual([]);
});

test("hostOf is the host of an address as it was typed, with its port", () => {
  for (const [typed, host] of [
    [" https://user:word@Example.com:8443/health?a=@b ", "Example.com:8443"],
    ["例子.测试/a", "例子.测试"],
    ["[::1]:80", "[::1]:80"],
    ["x?y", "x"],
    ["ftp://x", ""],
    ["", ""],
  ] as const)
    expect([typed, hostOf(typed)]).toEqual([typed, host]);
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
