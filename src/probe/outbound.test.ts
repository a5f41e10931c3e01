import { describe, expect, it } from "bun:test";
import { createLog } from "../core/log";
import { systemClock } from "../lib/time";
import { closedPort } from "../testing/servers/raw";
import { serveTarget } from "../testing/servers/targets";
import { AddressBlocked, NoSuchFamily } from "./address-errors";
import type { SystemDns } from "./dns/resolver";
import { LocalFailure, localConditionOf } from "./local-failure";
import { createOutbound } from "./outbound";

const log = createLog("silent", false, () => {});

const outboundWith = (addresses: string[], dns: Partial<SystemDns> = {}) =>
  createOutbound(
    { clock: systemClock, log },
    {
      lookup: async () => addresses.map((address) => ({ address, ttl: 60 })),
      lookupByLibc: async () => [],
      isAnswering: async () => true,
      shortage: () => null,
      ...dns,
    },
  );

const request = (
  outbound: ReturnType<typeof outboundWith>,
  url: string,
  allowPrivate = true,
  onAddress = (_: string) => {},
) =>
  outbound.request({
    onAddress,
    url: new URL(url),
    method: "GET",
    headers: new Headers(),
    body: "",
    signal: AbortSignal.timeout(5000),
    caller: { key: "a", lookups: 10, allowPrivate },
  });

describe("a request by name", () => {
  it("connects to the address that was checked, with the name as Host, and without credentials in the URL", async () => {
    const { port, requests } = serveTarget();
    const response = await request(outboundWith(["127.0.0.1"]), `http://alice:secret@shop.example:${port}/path?x=1#y`);
    expect([response.status, requests[0]?.path, requests[0]?.headers.host]).toEqual([
      200,
      "/path?x=1",
      `shop.example:${port}`,
    ]);
  });

  it("tries the next address after a failed connection, IPv4 before IPv6", async () => {
    const { port, requests } = serveTarget();
    const response = await request(outboundWith(["::1", "127.0.0.2", "127.0.0.1"]), `http://shop.example:${port}/`);
    expect([response.status, requests.length]).toEqual([200, 1]);
  });

  it("is refused when no address accepts a connection", async () => {
    const url = `http://shop.example:${await closedPort()}/`;
    expect(request(outboundWith(["127.0.0.1", "127.0.0.2"]), url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("reports the address that accepted the connection, and the first one when none did", async () => {
    const { port } = serveTarget();
    const reported: string[] = [];
    const report = (address: string) => void reported.push(address);
    await request(outboundWith(["127.0.0.2", "127.0.0.1"]), `http://shop.example:${port}/`, true, report);
    expect(reported.at(-1)).toBe("127.0.0.1");
    reported.length = 0;
    const closed = `http://shop.example:${await closedPort()}/`;
    await request(outboundWith(["127.0.0.2", "127.0.0.1"]), closed, true, report).catch(() => {});
    expect(reported).toEqual(["127.0.0.2"]);
  });

  it("connects to public addresses only for a user", async () => {
    const { port, requests } = serveTarget();
    const outbound = outboundWith(["127.0.0.1", "10.0.0.1", "::1"]);
    expect(request(outbound, `http://shop.example:${port}/`, false)).rejects.toBeInstanceOf(AddressBlocked);
    expect(requests).toHaveLength(0);
  });
});

it("a request limited to one IP version uses only such addresses, or fails without any", async () => {
  const outbound = outboundWith(["127.0.0.1", "::1"]);
  const caller = { key: "a", lookups: 10, allowPrivate: true };
  const of = (family: 4 | 6) => outbound.addressesOf("shop.example", caller, AbortSignal.timeout(5000), family);
  expect([await of(4), await of(6)]).toEqual([["127.0.0.1"], ["::1"]]);
  const only4 = outboundWith(["127.0.0.1"]).addressesOf("shop.example", caller, AbortSignal.timeout(5000), 6);
  await expect(only4).rejects.toBeInstanceOf(NoSuchFamily);
});

describe("a local condition", () => {
  it("is distinguished from a failure of the target", () => {
    const conditions = Object.fromEntries(
      ["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOMEM", "ENOBUFS", "ECONNREFUSED", "ENETUNREACH", "ETIMEDOUT"].map(
        (code) => [code, localConditionOf({ code }, "192.0.2.1")],
      ),
    );
    expect(conditions).toEqual({
      EMFILE: "descriptors",
      ENFILE: "descriptors",
      EADDRNOTAVAIL: "ports",
      ENOMEM: "memory",
      ENOBUFS: "memory",
      ECONNREFUSED: null,
      ENETUNREACH: null,
      ETIMEDOUT: null,
    });
  });

  it("of the name servers lasts until they answer again", async () => {
    const dns = { answering: false };
    const outbound = outboundWith([], {
      lookup: () => Promise.reject(Object.assign(new Error(), { code: "DNS_ETIMEOUT" })),
      isAnswering: async () => dns.answering,
    });
    await expect(request(outbound, "http://shop.example/")).rejects.toBeInstanceOf(LocalFailure);
    expect(outbound.conditions()).toEqual([{ code: "resolver", since: expect.any(Number) }]);
  });
});
