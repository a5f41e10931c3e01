import { expect, it } from "bun:test";
import { selectInterfaces } from "./interfaces";

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
