import { describe, expect, it } from "bun:test";
import { createMachine } from "../../../testing/machine";
import type { Reading } from "../../platform/platform";
import { cpuParts } from "./cpu-parts";
import { interfaces } from "./interfaces";
import { traffic } from "./traffic";

const NOTHING: Reading = { cpu: null, memory: null, disks: [], unreadable: [], network: {} };
const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`eth${index}`, { rx: index, tx: 0 }]));

describe("parts of processor time", () => {
  const at = (user: number, system: number, iowait: number, steal: number, total: number) => ({
    ...{ user, system, iowait, steal, total },
  });

  it("are shares of all time since the previous sample", () => {
    expect(cpuParts.fields(at(130, 60, 25, 5, 1200), at(100, 50, 20, 5, 1000), 60)).toEqual({
      cpu_parts: { user: 15, system: 5, iowait: 2.5, steal: 0 },
    });
  });

  it("are 0 where a counter decreased slightly, as iowait is known to", () => {
    expect(cpuParts.fields(at(100, 50, 19, 0, 1100), at(100, 50, 20, 0, 1000), 60)).toMatchObject({
      cpu_parts: { iowait: 0 },
    });
  });

  it("are absent after the start, and in a container with accounts of its own", async () => {
    expect(cpuParts.fields(at(1, 1, 1, 1, 4), null, 60)).toEqual({});
    expect(cpuParts.fields(at(1, 1, 1, 1, 4), at(9, 9, 9, 9, 36), 60)).toEqual({});
    expect(await cpuParts.open(createMachine())?.(NOTHING)).toBeNull();
  });
});

describe("rates of interfaces", () => {
  it("are in KB of 1,024 bytes a second, without those that are new or were reset", () => {
    const before = { eth0: { rx: 0, tx: 0 }, eth1: { rx: 9000, tx: 0 } };
    const after = { eth0: { rx: 20_480, tx: 5120 }, eth1: { rx: 10, tx: 0 }, wg0: { rx: 1e9, tx: 1e9 } };
    expect(interfaces.fields(after, before, 10)).toEqual({ interfaces: [{ name: "eth0", rx: 2, tx: 0.5 }] });
    expect(interfaces.fields(after, null, 10)).toEqual({});
  });

  it("are of 32 interfaces at most", () => {
    expect(interfaces.fields(many, many, 60).interfaces).toHaveLength(32);
  });
});

describe("traffic", () => {
  const read = async (reading: Reading) => (await traffic.open(createMachine())?.(reading)) ?? null;

  it("is the counters as they are, with the start that they count from", async () => {
    const network = { eth0: { rx: 9e15, tx: 2 } };
    const counters = await read({ ...NOTHING, network, boot: "0a1b2c3d" });
    expect(counters).toEqual({ boot: "0a1b2c3d", interfaces: { eth0: [9e15, 2] } });
    expect(await read({ ...NOTHING, network, boot: "7", wraps: true })).toMatchObject({ wraps: true });
    expect(counters && traffic.fields(counters, null, 0)).toEqual({ traffic: counters! });
  });

  it("is absent without a counter, or where nothing tells starts of the machine apart", async () => {
    expect(await read({ ...NOTHING, boot: "0a1b2c3d" })).toBeNull();
    expect(await read({ ...NOTHING, network: many })).toBeNull();
  });

  it("is of 32 interfaces at most, the same ones each time", async () => {
    const counters = await read({ ...NOTHING, network: many, boot: "0a1b2c3d" });
    expect(Object.keys(counters?.interfaces ?? {})).toEqual(Object.keys(many).slice(0, 32));
  });
});
