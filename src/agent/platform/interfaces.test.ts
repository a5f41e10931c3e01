import { expect, it } from "bun:test";
import { selectInterfaces } from "./interfaces";

const machine = (physical: string[], routes: string[] = []) => ({
  isPhysical: (name: string) => physical.includes(name),
  defaultRoutes: () => routes,
});

it("counts what has hardware behind it, so that nothing is counted twice", () => {
  const names = ["eth0", "eth1", "bond0", "bond0.100", "br0", "docker0", "veth12", "wg0", "tailscale0"];
  expect(selectInterfaces([], { names, ...machine(["eth0", "eth1"], ["bond0"]) })).toEqual(["eth0", "eth1"]);
});

it("counts what leads out where there is no hardware, as in containers", () => {
  expect(selectInterfaces([], { names: ["eth0", "eth1"], ...machine([], ["eth0"]) })).toEqual(["eth0"]);
  expect(selectInterfaces([], { names: ["venet0"], ...machine([], ["venet0"]) })).toEqual(["venet0"]);
  expect(selectInterfaces([], { names: ["dummy0"], ...machine([]) })).toEqual([]);
});

it("counts what it is told to", () => {
  const names = ["eth0", "eth1", "wg0", "br0"];
  const select = (...globs: string[]) => selectInterfaces(globs, { names, ...machine(["eth0", "eth1"]) });
  expect(select("wg*", "br0")).toEqual(["wg0", "br0"]);
  expect(select("!eth1")).toEqual(["eth0"]);
  expect(select("eth*", "!eth1")).toEqual(["eth0"]);
});
