import { describe, expect, it } from "bun:test";
import type { ExpectOp, RecordType } from "../../shared/monitor-kinds/dns-record";
import { expectedText, isExpected, queryName } from "./expectation";

describe("a name", () => {
  it("is asked for in ASCII, in lower case and without the last dot", () => {
    const names = [
      "Shop.Example.",
      " _dmarc.example ",
      "bücher.example",
      "*.example",
      "0/25.2.0.192.in-addr.arpa",
      ".",
    ];
    expect(names.map((name) => queryName(name, "A"))).toEqual([
      "shop.example",
      "_dmarc.example",
      "xn--bcher-kva.example",
      "*.example",
      "0/25.2.0.192.in-addr.arpa",
      "",
    ]);
  });

  it("can't be asked for with empty or long labels, other characters, or as an address", () => {
    const long = `${"a.".repeat(127)}example`;
    for (const name of [
      "",
      "a..b",
      ".a",
      "a b",
      "http://a",
      "a:53",
      "a@b",
      `${"a".repeat(64)}.b`,
      long,
      "\u0000",
      "192.0.2.1",
      "::1",
    ])
      expect([name, queryName(name, "A")]).toEqual([name, null]);
  });

  it("of an address is its reverse name, with PTR", () => {
    const loopback = `1.${"0.".repeat(31)}ip6.arpa`;
    const full = "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa";
    expect(
      ["192.0.2.1", "::1", "[::1]", "4321:0:1:2:3:4:567:89ab", "host.example"].map((name) => queryName(name, "PTR")),
    ).toEqual(["1.2.0.192.in-addr.arpa", loopback, loopback, full, "host.example"]);
    expect(queryName("fe80::1%eth0", "PTR")).toBeNull();
  });
});

describe("an expected value", () => {
  it("is compared in one form, however it is written", () => {
    const written: [RecordType, string, string | null][] = [
      ["A", " 192.0.2.1 ", "192.0.2.1"],
      ["A", "192.0.2.01", null],
      ["A", "::1", null],
      ["AAAA", "2001:DB8:0:0::1", "2001:db8::1"],
      ["AAAA", "fe80::1%eth0", null],
      ["CNAME", "WWW.Example.", "www.example"],
      ["NS", "a b", null],
      ["MX", "10  Mail.example.", "10 mail.example"],
      ["MX", "mail.example", "mail.example"],
      ["MX", "x mail.example", null],
      ["MX", "1 2 mail.example", null],
      ["SRV", "1 2 0443 a.example", "1 2 443 a.example"],
      ["SRV", "A.example:443", "a.example:443"],
      ["SRV", "a.example", "a.example"],
      ["TXT", '"v=spf1 " "-all"', "v=spf1 -all"],
      ["TXT", "V=spf1", "V=spf1"],
      ["TXT", "  ", null],
      ["SOA", "ns1.example", "ns1.example"],
      ["SOA", "ns1.example. admin.example. 1 2 3 4 5", "ns1.example admin.example 1 2 3 4 5"],
      ["SOA", "ns1.example admin.example", null],
      ["CAA", '0 ISSUE "ca.example"', "0 issue ca.example"],
      ["CAA", "ca.example", "ca.example"],
      ["PTR", "host.example.", "host.example"],
    ];
    for (const [type, value, expected] of written)
      expect([type, value, expectedText(value, type)]).toEqual([type, value, expected]);
  });
});

describe("records", () => {
  const records = [
    ["10 a.example", "a.example"],
    ["20 b.example", "b.example"],
  ];
  const are = (op: ExpectOp, ...values: string[]) => isExpected({ op, values }, "MX", records);

  it("equal the expected ones in any order, each by one of its texts", () => {
    expect([
      are("equals", "20 B.example.", "a.example"),
      are("equals", "a.example"),
      are("equals", "a.example", "b.example", "c.example"),
    ]).toEqual([true, false, false]);
  });

  it("contain all of them, or any of them", () => {
    expect([are("contains", "b.example"), are("contains", "b.example", "c.example")]).toEqual([true, false]);
    expect([are("any", "c.example", "b.example"), are("any", "c.example")]).toEqual([true, false]);
  });
});
