import { describe, expect, it } from "bun:test";
import { START } from "../../../../testing/clock";
import type { OpenOutage } from "./open";
import { APART, findSharedCauses, registeredDomain } from "./shared";

it.each([
  ["www.example.com", "example.com"],
  ["example.com", "example.com"],
  ["a.b.example.co.uk", "example.co.uk"],
  ["shop.example.com.cn", "example.com.cn"],
  ["shop.example.com.", "example.com"],
  ["co.uk", null],
  ["localhost", null],
  ["203.0.113.7", null],
  ["2001:db8::7", null],
])("the domain of %s is %s", (host, domain) => {
  expect(registeredDomain(host)).toBe(domain);
});

let id = 0;
const outage = (wanted: Partial<OpenOutage>): OpenOutage => ({
  id: ++id,
  userId: 1,
  targetId: id,
  startedAt: START,
  address: null,
  errorCode: "refused",
  errorDetail: null,
  cause: null,
  host: `h${id}.invalid${id}`,
  interval: 60,
  ...wanted,
});

const causesOf = (...found: OpenOutage[]) => found.map((one) => findSharedCauses(found, found).get(one.id) ?? null);

describe("a shared cause", () => {
  it("is one of outages that began alike: without a connection, or with the same status", () => {
    const here = (facts: Partial<OpenOutage>) => outage({ address: "203.0.113.7", ...facts });
    const status = (actual: number) => here({ errorCode: "status", errorDetail: { actual, expected: "200" } });
    const found = causesOf(here({}), here({ errorCode: "timeout" }), status(502), status(503), status(503));
    expect(found.map((cause) => (cause && "others" in cause ? cause.others : null))).toEqual([1, 1, null, 1, 1]);
  });

  it("is not assumed of a target that answers wrongly and one that does not answer", () => {
    const here = (errorCode: OpenOutage["errorCode"]) => outage({ address: "203.0.113.7", errorCode });
    expect(
      causesOf(
        here("refused"),
        here("tls_expired"),
        here("dns_no_name"),
        here("protocol_error"),
        here("json_mismatch"),
      ),
    ).toEqual([null, null, null, null, null]);
    expect(causesOf(here("tls_expired"), here("tls_expired"))[0]).toMatchObject({ others: 1 });
    expect(causesOf(here("ping_lost"), here("reset"))[0]).toMatchObject({ others: 1 });
  });

  it("is the address, the host or the domain that outages share", () => {
    const address = { kind: "shared_address", value: "203.0.113.7", others: 1 };
    expect(causesOf(outage({ address: "203.0.113.7" }), outage({ address: "::ffff:203.0.113.7" }))).toEqual([
      address,
      address,
    ] as never);
    expect(causesOf(outage({ host: "203.0.113.7" }), outage({ address: "203.0.113.7" }))[0]).toEqual(address as never);
    const host = { kind: "shared_host", value: "db-1", others: 1 };
    expect(causesOf(outage({ host: "db-1" }), outage({ host: "db-1" }))).toEqual([host, host] as never);
    const domain = { kind: "shared_domain", value: "example.com", others: 1 };
    expect(causesOf(outage({ host: "a.example.com" }), outage({ host: "b.example.com" }))[0]).toEqual(domain as never);
  });

  it("is the one of most others, and of equal ones the most specific", () => {
    const onHost = { host: "a.example.com", address: "203.0.113.7" };
    expect(causesOf(outage(onHost), outage(onHost))[0]).toMatchObject({ kind: "shared_address" });
    expect(causesOf(outage(onHost), outage({ ...onHost, address: "203.0.113.8" }))[0]).toMatchObject({
      kind: "shared_host",
    });
    const all = [outage(onHost), outage(onHost), outage({ host: "b.example.com" })];
    expect(causesOf(...all)[0]).toEqual({ kind: "shared_domain", value: "example.com", others: 2 });
  });

  it("needs outages of one owner that began at most 90 seconds apart", () => {
    const host = "a.example.com";
    expect(causesOf(outage({ host }), outage({ host, userId: 2 }))).toEqual([null, null]);
    expect(causesOf(outage({ host }), outage({ host, startedAt: START + APART + 1 }))).toEqual([null, null]);
    expect(causesOf(outage({ host }), outage({ host, startedAt: START + APART }))[1]).toMatchObject({ others: 1 });
    expect(causesOf(outage({ host }))).toEqual([null]);
    expect(causesOf(outage({ host: "" }), outage({ host: "" }))).toEqual([null, null]);
  });
});
