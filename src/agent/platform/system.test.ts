import { describe, expect, it, onTestFinished } from "bun:test";
import { $ } from "bun";
import {
  createBoundedReader,
  createSpaceReader,
  disksOf,
  outputOf,
  type Space,
  type SpaceOrReason,
  selectAddresses,
  selectInterfaces,
  spaceOf,
} from "./system";

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

const GB = 1024 ** 3;

it("computes space in the filesystem's block size, from what users can fill", () => {
  const blocks = { bsize: 1_048_576, frsize: 4096, blocks: 1000, bfree: 400, bavail: 350 };
  expect(spaceOf(blocks)).toEqual({ used: 600 * 4096, available: 350 * 4096 });
  expect(spaceOf({ ...blocks, frsize: 0, bsize: 512 })).toEqual({ used: 600 * 512, available: 350 * 512 });
  // A filesystem over its reserve has less than nothing.
  expect(spaceOf({ ...blocks, bavail: -5 }).available).toBe(0);
});

it("counts files where a filesystem has a fixed number of them", () => {
  const blocks = { bsize: 4096, blocks: 1000, bfree: 400, bavail: 350 };
  expect(spaceOf({ ...blocks, files: 1000, ffree: 900 }).inodes).toEqual({ total: 1000, used: 100 });
  for (const [files, ffree] of [
    [0, 0],
    [-1, -1],
    [2 ** 64 - 1, 5],
    [10, 11],
  ] as const)
    expect(spaceOf({ ...blocks, files, ffree }).inodes).toBeUndefined();
  const space = { used: 1, available: 3, inodes: { total: 8, used: 2 } };
  const spaces = new Map([
    ["/", space],
    ["/tank", space],
  ]);
  const mounts = [
    { path: "/", parts: [], type: "ext4" },
    { path: "/tank", parts: [], type: "zfs" },
  ];
  expect(disksOf(mounts, spaces).disks).toEqual([
    { mount: "/", total: 4, used: 1, inodes: { total: 8, used: 2 } },
    { mount: "/tank", total: 4, used: 1 },
  ]);
});

describe("reading what may not answer", () => {
  it("returns the rest in time, and does not ask again what has not answered", async () => {
    const hung = Promise.withResolvers<string>();
    const asked: string[] = [];
    const read = createBoundedReader((key: string) => {
      asked.push(key);
      return key === "dead" ? hung.promise : Promise.resolve(key.toUpperCase());
    }, 20);
    for (let round = 0; round < 2; round++)
      expect(Object.fromEntries(await read(["dead", "b"]))).toEqual({ dead: null, b: "B" });
    expect(asked).toEqual(["dead", "b", "b"]);
    hung.resolve("alive");
    expect((await read(["dead"])).get("dead")).toBe("alive");
  });

  it("never reads more than the given number at once, hung ones included", async () => {
    const asked: string[] = [];
    const read = createBoundedReader(
      (key: string): Promise<string> => {
        asked.push(key);
        return key.startsWith("dead") ? new Promise(() => {}) : Promise.resolve("fine");
      },
      20,
      3,
    );
    const keys = ["dead 1", "a", "dead 2", "b", "c"];
    for (let round = 0; round < 2; round++) {
      const found = await read(keys);
      expect(keys.filter((key) => found.get(key) === null)).toEqual(["dead 1", "dead 2"]);
    }
    expect((await read(["dead 1", "dead 2", "dead 3", "a"])).get("a")).toBeNull();
    expect(asked.filter((key) => key.startsWith("dead"))).toEqual(["dead 1", "dead 2", "dead 3"]);
  });
});

describe.if(process.platform !== "win32")("a system command", () => {
  it("gets none of the agent's settings", async () => {
    process.env.WAKEFUL_TOKEN = "wkt_secret";
    onTestFinished(() => {
      delete process.env.WAKEFUL_TOKEN;
    });
    const environment = await outputOf(["env"]);
    expect(environment).toContain("LC_ALL=C");
    expect(environment).not.toContain("wkt_secret");
  });

  it("that is missing, fails or never ends its output has none", async () => {
    expect(await outputOf(["/does/not/exist"])).toBe("");
    expect(await outputOf(["yes"])).toBe("");
    expect(await outputOf(["sleep", "60"], 20)).toBe("");
  });
});

it.if(process.platform === "linux")("reports the same space as df", async () => {
  const space = (await createSpaceReader()(["/"])).get("/") as Space;
  const [used = 0, available = 0] = (await $`df -B1 --output=used,avail /`.text())
    .trim()
    .split("\n")[1]!
    .trim()
    .split(/\s+/)
    .map(Number);
  // Other processes write to the disk between the two readings.
  const near = 64 * 1024 ** 2;
  expect(Math.abs(space.used - used)).toBeLessThan(near);
  expect(Math.abs(space.available - available)).toBeLessThan(near);
});

it("returns the reason for a missing path or a file, and reads it again next time", async () => {
  const read = createSpaceReader();
  for (let round = 0; round < 2; round++) {
    const found = await read(["/does/not/exist", import.meta.path]);
    expect([...found.values()]).toEqual([{ reason: "ENOENT" }, { reason: "file" }]);
  }
});

it("adds up the datasets of a pool and counts the free space once", () => {
  const spaces = new Map([
    ["/tank", { used: 1 * GB, available: 90 * GB }],
    ["/tank/media", { used: 9 * GB, available: 90 * GB }],
  ]);
  expect(disksOf([{ path: "/tank", parts: ["/tank/media"] }], spaces)).toEqual({
    disks: [{ mount: "/tank", total: 100 * GB, used: 10 * GB }],
    unreadable: [],
  });
});

it("lists disks that cannot be read or time out, and still counts the others", () => {
  const spaces = new Map<string, SpaceOrReason>([
    ["/host/", { used: 1, available: 3 }],
    ["/host/nas", { reason: "timeout" }],
    ["/host/home/ann/data", { reason: "permission" }],
    ["/host/wk", { reason: "file" }],
    ["/host/empty", { used: 0, available: 0 }],
  ]);
  const mounts = ["/", "/nas", "/home/ann/data", "/wk", "/empty"].map((path) => ({ path, parts: [] }));
  expect(disksOf(mounts, spaces, "/host")).toEqual({
    disks: [{ mount: "/", total: 4, used: 1 }],
    unreadable: [
      { mount: "/nas", reason: "timeout" },
      { mount: "/home/ann/data", reason: "permission" },
    ],
  });
});

it("lists at most 64 unreadable disks, each with at most 1,024 characters", () => {
  const paths = Array.from({ length: 100 }, (_, index) => `/${index}${"x".repeat(2000)}`);
  const spaces = new Map(paths.map((path): [string, SpaceOrReason] => [path, { reason: "timeout" }]));
  const { unreadable } = disksOf(
    paths.map((path) => ({ path, parts: [] })),
    spaces,
  );
  expect([unreadable.length, unreadable[0]?.mount.length]).toEqual([64, 1024]);
});
