import { describe, expect, it } from "bun:test";
import { readConfig } from "../../core/config";
import type { Deps } from "../../core/deps";
import { clientAddress, networksOf, originOf } from "./client-address";

const server = { requestIP: () => ({ address: "10.0.0.1" }) };
const addressOf = (forwarded: string, trust = "1") =>
  clientAddress(
    { config: readConfig({ NODE_ENV: "test", TRUST_PROXY: trust }) } as Deps,
    new Request("http://console.test/", { headers: { "x-forwarded-for": forwarded } }),
    server,
  );

it("the client address is the last entry of a trusted proxy, otherwise the peer's", () => {
  expect(addressOf("192.0.2.1")).toBe("192.0.2.1");
  expect(addressOf("198.51.100.1, 192.0.2.1")).toBe("192.0.2.1");
  expect(addressOf("198.51.100.1,192.0.2.1 ")).toBe("192.0.2.1");
  expect(addressOf("192.0.2.1", "0")).toBe("10.0.0.1");
});

it("the client address is read without a port", () => {
  expect(addressOf("192.0.2.1:49152")).toBe("192.0.2.1");
  expect(addressOf("[2001:db8::1]:49152")).toBe("2001:db8::1");
  expect(addressOf("[2001:db8::1]")).toBe("2001:db8::1");
  expect(addressOf("2001:db8::1")).toBe("2001:db8::1");
});

it("the client address is the peer's when the last entry is not an address", () => {
  for (const entry of [
    "",
    "unknown",
    "_hidden",
    "192.0.2.1, ",
    "alice",
    "192.0.2.999",
    "192.0.2.1 x",
    "x".repeat(5000),
  ])
    expect(addressOf(entry)).toBe("10.0.0.1");
});

it("an IPv6 address counts for its network, in any spelling", () => {
  const network = originOf("2001:db8:1:2::1");
  const same = [
    "2001:db8:1:2:ffff:ffff:ffff:ffff",
    "2001:0DB8:0001:0002::",
    "2001:db8:1:2:3:4:5:6",
    "2001:db8:1:2::1%eth0",
  ];
  for (const address of same) expect(originOf(address)).toBe(network);
  for (const address of ["2001:db8:1:3::1", "2001:db8:1::1", "::1"]) expect(originOf(address)).not.toBe(network);
  expect(originOf("::1")).toBe(originOf("0:0:0:0:0:0:0:1"));
  expect(originOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(originOf("192.0.2.1")).toBe("192.0.2.1");
  expect(originOf("unknown")).toBe("unknown");
});

it("the networks of an IPv6 address are its /64, /56 and /48", () => {
  const { all, narrowest, widest } = networksOf("2001:db8:1:2345::1");
  expect(all).toHaveLength(3);
  expect([all.at(0), all.at(-1)]).toEqual([narrowest, widest]);
  expect(networksOf("2001:db8:1:23ff::1").all.slice(1)).toEqual(all.slice(1));
  expect(networksOf("2001:db8:1:ffff::1").all[1]).not.toBe(all[1]);
  expect(networksOf("2001:db8:1:ffff::1").widest).toBe(widest);
  expect(networksOf("192.0.2.1").all).toEqual(["192.0.2.1"]);
});

it("a hundred forged entries before the real one do not change the client address, and are ignored without TRUST_PROXY", () => {
  const forged = Array.from({ length: 100 }, (_, at) => `203.0.113.${at}`).join(", ");
  expect(addressOf(`${forged}, 192.0.2.1`)).toBe("192.0.2.1");
  expect(addressOf(`${forged}, 192.0.2.1`, "0")).toBe("10.0.0.1");
  expect(addressOf(forged, "0")).toBe("10.0.0.1");
});

describe("with TRUSTED_PROXIES", () => {
  const from = (peer: string, forwarded: string, proxies = "10.0.0.0/8, fd00::/8, 192.0.2.5") =>
    clientAddress(
      { config: readConfig({ NODE_ENV: "test", TRUST_PROXY: "1", TRUSTED_PROXIES: proxies }) },
      new Request("http://console.test/", { headers: { "x-forwarded-for": forwarded } }),
      { requestIP: () => ({ address: peer }) },
    );

  it("the header of a direct client is ignored", () => {
    expect(from("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  });

  it("the header of a listed proxy counts, also over IPv6 and as a mapped address", () => {
    for (const peer of ["10.1.2.3", "fd00::1", "192.0.2.5", "::ffff:10.1.2.3"])
      expect(from(peer, "198.51.100.7, 198.51.100.1")).toBe("198.51.100.1");
    expect(from("10.1.2.3", "198.51.100.1", "::ffff:10.0.0.0/104")).toBe("198.51.100.1");
    expect(from("11.1.2.3", "198.51.100.1", "::ffff:10.0.0.0/104, ::/0")).toBe("11.1.2.3");
  });

  it("entries of listed proxies are skipped from the right", () => {
    expect(from("10.0.0.1", "198.51.100.7, 198.51.100.1, 10.0.0.2, fd00::3")).toBe("198.51.100.1");
    expect(from("10.0.0.1", "10.0.0.2")).toBe("10.0.0.2");
  });

  it("a hundred forged entries, also of addresses of proxies, leave the client that the last proxy names", () => {
    const entries = (address: (at: number) => string) => Array.from({ length: 100 }, (_, at) => address(at)).join(", ");
    const forged = [(at: number) => `203.0.113.${at}`, (at: number) => `10.0.0.${at}`, () => "alice", () => ""].map(
      entries,
    );
    for (const list of forged) {
      expect(from("10.0.0.1", `${list}, 198.51.100.1, 10.0.0.2`)).toBe("198.51.100.1");
      expect(from("203.0.113.9", `${list}, 198.51.100.1`)).toBe("203.0.113.9");
    }
    // When all entries are proxies, the first of them is the client.
    expect(
      from(
        "10.0.0.1",
        entries((at) => `10.0.0.${at}`),
      ),
    ).toBe("10.0.0.0");
  });
});
