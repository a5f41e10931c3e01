import { expect, it } from "bun:test";
import { selectAddresses, selectInterfaces } from "./system";

const at = (address: string, internal = false) => ({ address, internal });

it("lists the address with the default route first, without loopback and container addresses", () => {
  const interfaces = {
    lo: [at("127.0.0.1", true), at("::1", true)],
    eth1: [at("10.0.0.5"), at("fe80::2")],
    docker0: [at("172.17.0.1")],
    "br-0a1b": [at("172.18.0.1")],
    eth0: [at("198.51.100.7"), at("2001:db8::7"), at("fe80::1")],
  };
  expect(selectAddresses(interfaces, ["eth0"])).toEqual(["198.51.100.7", "2001:db8::7", "10.0.0.5"]);
});

it("keeps a bridge with a default route", () => {
  expect(selectAddresses({ virbr0: [at("10.1.1.1")], "br-lan": [at("10.2.2.2")] }, ["br-lan"])).toEqual(["10.2.2.2"]);
});

it("lists at most sixteen addresses", () => {
  const many = Array.from({ length: 40 }, (_, index) => at(`10.0.0.${index + 1}`));
  expect(selectAddresses({ eth0: many })).toHaveLength(16);
});

const machine = (physical: string[], routes: string[] = []) => ({
  isPhysical: (name: string) => physical.includes(name),
  defaultRoutes: () => routes,
});

it("counts physical interfaces only, so that no traffic is counted twice", () => {
  const names = ["eth0", "eth1", "bond0", "bond0.100", "br0", "docker0", "veth12", "wg0", "tailscale0"];
  expect(selectInterfaces([], { names, ...machine(["eth0", "eth1"], ["bond0"]) })).toEqual(["eth0", "eth1"]);
});

it("counts the interfaces with a default route when none is physical, as in containers", () => {
  expect(selectInterfaces([], { names: ["eth0", "eth1"], ...machine([], ["eth0"]) })).toEqual(["eth0"]);
  expect(selectInterfaces([], { names: ["venet0"], ...machine([], ["venet0"]) })).toEqual(["venet0"]);
  expect(selectInterfaces([], { names: ["dummy0"], ...machine([]) })).toEqual([]);
});

it("counts the interfaces that match the globs", () => {
  const names = ["eth0", "eth1", "wg0", "br0"];
  const select = (...globs: string[]) => selectInterfaces(globs, { names, ...machine(["eth0", "eth1"]) });
  expect(select("wg*", "br0")).toEqual(["wg0", "br0"]);
  expect(select("!eth1")).toEqual(["eth0"]);
  expect(select("eth*", "!eth1")).toEqual(["eth0"]);
});
