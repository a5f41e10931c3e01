import { expect, it } from "bun:test";
import { CHECK_ERROR_CODES } from "../../../../shared/check-error";
import { createNetworks, isAnswer, networkOf, placeOf, placeOfFailure } from "./networks";

it("addresses are of one network by their first 24 bits of IPv4 and 48 of IPv6", () => {
  expect(["192.0.2.1", "192.0.2.254", "192.0.3.1"].map(networkOf)).toEqual(["192.0.2", "192.0.2", "192.0.3"]);
  const six = ["2001:db8:7::1", "2001:db8:7:1:2:3:4:5", "2001:db8::1", "2001::7:1", "::1"].map(networkOf);
  expect(six).toEqual(["2001:db8:7", "2001:db8:7", "2001:db8:0", "2001:0:0", "0:0:0"]);
});

it("a failure without an address is of the address in its host, or of the zone of its name", () => {
  expect(placeOfFailure("shop.example", "192.0.2.1")).toBe("192.0.2");
  expect(placeOfFailure("192.0.2.1", undefined)).toBe("192.0.2");
  expect(placeOfFailure("2001:db8::1", undefined)).toBe("2001:db8:0");
  expect(placeOfFailure("www.shop.example.", undefined)).toBe("shop.example");
});

it("loopback is this machine, and names and foreign addresses are outside", () => {
  const places = ["127.0.0.1", "::1", "localhost", "db.localhost", "240.0.0.1", "shop.example"].map(placeOf);
  expect(places).toEqual(["machine", "machine", "machine", "machine", "outside", "outside"]);
});

it("errors of the connection are no answers, and those of what was answered are", () => {
  const silent = CHECK_ERROR_CODES.filter((code) => !isAnswer(code));
  for (const code of ["refused", "reset", "unreachable_host", "dns_no_answer", "ping_lost"] as const)
    expect(silent).toContain(code);
  for (const code of ["status", "keyword_missing", "tls_self_signed", "dns_no_name"] as const)
    expect(silent).not.toContain(code);
});

it("one monitor is remembered for each network, a verified one rather than another, and 10,000 networks at most", () => {
  const networks = createNetworks(() => "outside");
  const reach = (monitorId: number, address: string, verified = false, reachedAt = monitorId) =>
    networks.reached({ monitorId, host: address, address, responseTime: 20, verified, reachedAt });
  const healthy = (count = 3, round = 0) =>
    networks.healthy(count, round, () => true).map(({ monitorId }) => monitorId);
  for (const id of [1, 2, 3, 4]) reach(id, `10.0.${id}.1`);
  reach(5, "10.0.1.9");
  expect(networks.size(false)).toBe(4);
  expect([healthy(), healthy(3, 1)]).toEqual([
    [5, 4, 3],
    [2, 5, 4],
  ]);
  reach(6, "10.0.2.9", true);
  reach(7, "10.0.2.1");
  expect(healthy()).toEqual([6]);
  // It was not reached for long.
  reach(8, "10.0.2.1", false, 700_000);
  expect(healthy(1)).toEqual([8]);
  for (let id = 10; id < 12_000; id++) reach(id, `11.${id >> 8}.${id & 255}.1`);
  expect(networks.size(true)).toBe(10_000);
});
