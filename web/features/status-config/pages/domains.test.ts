import { expect, it } from "bun:test";
import { addressAt, readableDomain, recordOf } from "./domains";

it.each([
  ["status.example.com", "status.example.com"],
  ["xn--fsqu00a.xn--fiqs8s", "例子.中国"],
  ["xn--bcher-kva.example", "bücher.example"],
  ["status.xn--fa-hia.de", "status.faß.de"],
  ["xn--80ak6aa92e.com", "аррӏе.com"],
  ["xn--3b-ww4c5e180e575a65lsy2b.example", "3年b組金八先生.example"],
])("%p is readable as %p", (domain, text) => {
  expect(readableDomain(domain)).toBe(text);
});

it("a domain leads to the name of the hub, or to its address", () => {
  expect(recordOf("a.org", "https://watch.example.com/up")).toBe("a.org. CNAME watch.example.com.");
  expect(recordOf("a.org", "http://192.0.2.7:3000")).toBe("a.org. A 192.0.2.7");
  expect(recordOf("a.org", "http://[2001:db8::1]:3000")).toBe("a.org. AAAA 2001:db8::1");
  expect(addressAt("a.org", "http://192.0.2.7:3000/up")).toBe("http://a.org:3000/");
  expect(addressAt("a.org", "https://watch.example.com")).toBe("https://a.org/");
});
