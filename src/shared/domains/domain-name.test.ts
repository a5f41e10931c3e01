import { expect, it } from "bun:test";
import { domainNameOf, registrableNames } from "./domain-name";

it.each([
  ["example.com", "example.com"],
  [" Example.COM. ", "example.com"],
  ["*.example.com", "example.com"],
  ["https://www.example.com/path?query", "www.example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["例子.中国", "xn--fsqu00a.xn--fiqs8s"],
  ["_dmarc.example.com", "_dmarc.example.com"],
])("%p is the domain name %p", (text, name) => {
  expect(domainNameOf(text)).toBe(name);
});

it.each(["", "com", "localhost", "192.0.2.1", "[2001:db8::1]", "example..com", "exa mple.com", "user@example.com"])(
  "%p is no domain name",
  (text) => {
    expect(domainNameOf(text)).toBeNull();
  },
);

it.each([["-a.example"], [`${"a".repeat(64)}.example`], [`${"a.".repeat(130)}example`], ["a*.example.com"], ["1.2"]])(
  "%p is no domain name either",
  (text) => {
    expect(domainNameOf(text)).toBeNull();
  },
);

it("the registered domain of a name is searched from the shortest on, below the usual second levels of countries", () => {
  expect(registrableNames("example.com")).toEqual(["example.com"]);
  expect(registrableNames("www.example.com")).toEqual(["example.com", "www.example.com"]);
  expect(registrableNames("www.example.co.uk")).toEqual(["example.co.uk", "www.example.co.uk"]);
  expect(registrableNames("co.uk")).toEqual(["co.uk"]);
  expect(registrableNames("a.b.c.d.e.example.com")).toEqual(["example.com", "e.example.com", "d.e.example.com"]);
});
