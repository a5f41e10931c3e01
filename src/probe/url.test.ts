import { expect, it } from "bun:test";
import { basicLogin, endpointOf } from "./url";

it("an address has a host, a port and TLS by its scheme", () => {
  const cases: [string, ReturnType<typeof endpointOf>][] = [
    ["http://a.test/", { host: "a.test", port: 80, isSecure: false }],
    ["https://a.test", { host: "a.test", port: 443, isSecure: true }],
    ["ws://[::1]:8080/", { host: "::1", port: 8080, isSecure: false }],
    ["wss://127.0.0.1/", { host: "127.0.0.1", port: 443, isSecure: true }],
  ];
  for (const [url, endpoint] of cases) expect([url, endpointOf(new URL(url))]).toEqual([url, endpoint]);
});

it("the login of an address is decoded, unless its encoding is malformed", () => {
  const login = (url: string) => Buffer.from(basicLogin(new URL(url))?.slice(6) ?? "", "base64").toString();
  expect(login("http://a%20b:c%40@a.test")).toBe("a b:c@");
  expect(login("http://a%zz@a.test")).toBe("a%zz:");
  expect(basicLogin(new URL("http://a.test"))).toBeNull();
});
