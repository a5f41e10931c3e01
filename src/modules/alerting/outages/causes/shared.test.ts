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
  teamId: 1,
  targetId: id,
  startedAt: START,
  startedAfter: null,
  address: null,
  errorCode: "refused",
  errorDetail: null,
  cause: null,
  host: `h${id}.invalid${id}`,
  interval: 60,
  ...wanted,
});

/** The causes of outages, with other monitors of these hosts that are up. */
const causesWith = async (found: OpenOutage[], upHosts: string[]) => {
  const causes = await findSharedCauses(found, found, async (places) =>
    places.map(({ teamId, value, isDomain }) => {
      const isOn = (host: string) => host === value || (isDomain && host.endsWith(`.${value}`));
      const up = upHosts.filter(isOn).length;
      return { up, total: up + found.filter((one) => one.teamId === teamId && isOn(one.host)).length };
    }),
  );
  return found.map(({ id }) => causes.get(id) ?? null);
};
const causesOf = (...found: OpenOutage[]) => causesWith(found, []);

describe("a shared cause", () => {
  it("is one of outages that began alike: without a connection, or with the same status", async () => {
    const here = (facts: Partial<OpenOutage>) => outage({ address: "203.0.113.7", ...facts });
    const status = (actual: number) => here({ errorCode: "status", errorDetail: { actual, expected: "200" } });
    const found = await causesOf(
      ...[here({}), here({ errorCode: "timeout" }), here({})],
      ...[status(502), status(503), status(503), status(503)],
    );
    expect(found.map((cause) => (cause && "others" in cause ? cause.others : null))).toEqual([2, 2, 2, null, 2, 2, 2]);
  });

  it("is not assumed of a target that answers wrongly and one that does not answer", async () => {
    const here = (errorCode: OpenOutage["errorCode"]) => outage({ host: "203.0.113.7", errorCode });
    const codes = ["refused", "tls_expired", "dns_no_name", "protocol_error", "json_mismatch"] as const;
    expect(await causesOf(...codes.map(here))).toEqual([null, null, null, null, null]);
    expect((await causesOf(here("tls_expired"), here("tls_expired")))[0]).toMatchObject({ others: 1 });
    expect((await causesOf(here("ping_lost"), here("reset")))[0]).toMatchObject({ others: 1 });
  });

  it("is the address, the host or the domain that three outages share", async () => {
    const address = "203.0.113.7";
    const byAddress = { kind: "shared_address", value: address, others: 2 } as const;
    const named = [outage({ address }), outage({ address: `::ffff:${address}` }), outage({ address })];
    expect(await causesOf(...named)).toEqual([byAddress, byAddress, byAddress]);
    expect(await causesOf(...named.slice(1))).toEqual([null, null]);
    const byHost = { kind: "shared_host", value: "db-1", others: 2, total: 4 } as const;
    const onHost = [outage({ host: "db-1" }), outage({ host: "db-1" }), outage({ host: "db-1" })];
    expect(await causesWith(onHost, ["db-1"])).toEqual([byHost, byHost, byHost]);
    const under = ["a", "b", "c"].map((name) => outage({ host: `${name}.example.com` }));
    expect((await causesOf(...under))[0]).toEqual({ kind: "shared_domain", value: "example.com", others: 2, total: 3 });
  });

  it("is a host or an address with two outages only where no other monitor of it is up", async () => {
    const onHost = [outage({ host: "db-1" }), outage({ host: "db-1" })];
    expect((await causesOf(...onHost))[0]).toEqual({ kind: "shared_host", value: "db-1", others: 1, total: 2 });
    expect(await causesWith(onHost, ["db-1"])).toEqual([null, null]);
    const onAddress = [outage({ host: "203.0.113.7" }), outage({ host: "203.0.113.7" })];
    expect((await causesOf(...onAddress))[0]).toMatchObject({ kind: "shared_address", total: 2 });
  });

  it("is a domain only where none of its other monitors is up", async () => {
    const under = ["a", "b", "c"].map((name) => outage({ host: `${name}.example.com` }));
    expect(await causesWith(under, ["example.com"])).toEqual([null, null, null]);
    expect(await causesWith(under, ["d.example.com"])).toEqual([null, null, null]);
    expect((await causesWith(under, ["anotherexample.com"]))[0]).toMatchObject({ kind: "shared_domain" });
    expect(await causesOf(...under.slice(1))).toEqual([null, null]);
  });

  it("is never this machine: loopback explains nothing", async () => {
    for (const host of ["127.0.0.1", "::1", "localhost", "app.localhost"])
      expect(await causesOf(outage({ host }), outage({ host }), outage({ host }))).toEqual([null, null, null]);
    const address = "127.0.0.1";
    expect(await causesOf(outage({ address }), outage({ address }), outage({ address }))).toEqual([null, null, null]);
  });

  it("is the one of most others, and of equal ones the most specific", async () => {
    const onHost = { host: "a.example.com", address: "203.0.113.7" };
    const three = [outage(onHost), outage(onHost), outage(onHost)];
    expect((await causesOf(...three))[0]).toMatchObject({ kind: "shared_address" });
    expect((await causesOf(...three, outage({ ...onHost, address: "203.0.113.8" })))[0]).toMatchObject({
      kind: "shared_host",
    });
    const all = [...three, outage({ host: "b.example.com" })];
    expect((await causesOf(...all))[0]).toEqual({ kind: "shared_domain", value: "example.com", others: 3, total: 4 });
  });

  it("needs outages of one owner that began at most 90 seconds apart", async () => {
    const host = "a.example.com";
    expect(await causesOf(outage({ host }), outage({ host, teamId: 2 }))).toEqual([null, null]);
    expect(await causesOf(outage({ host }), outage({ host, startedAt: START + APART + 1 }))).toEqual([null, null]);
    expect((await causesOf(outage({ host }), outage({ host, startedAt: START + APART })))[1]).toMatchObject({
      others: 1,
    });
    expect(await causesOf(outage({ host }))).toEqual([null]);
    expect(await causesOf(outage({ host: "" }), outage({ host: "" }))).toEqual([null, null]);
  });
});
