import { expect, it } from "bun:test";
import { $ } from "bun";
import { watchUnreadable } from "../measure/collect";
import { createSpaceReader, disksOf, type Space, type SpaceOrReason, spaceOf } from "./statfs";

const GB = 1024 ** 3;

it("computes space in the filesystem's block size, from what users can fill", () => {
  const blocks = { bsize: 1_048_576, frsize: 4096, blocks: 1000, bfree: 400, bavail: 350 };
  expect(spaceOf(blocks)).toEqual({ used: 600 * 4096, available: 350 * 4096 });
  expect(spaceOf({ ...blocks, frsize: 0, bsize: 512 })).toEqual({ used: 600 * 512, available: 350 * 512 });
  // A filesystem over its reserve has less than nothing.
  expect(spaceOf({ ...blocks, bavail: -5 }).available).toBe(0);
});

it.if(process.platform === "linux")("reports the same space as df", async () => {
  const space = (await createSpaceReader()(["/"])).get("/") as Space;
  const [used = 0, available = 0] = (await $`df -B1 --output=used,avail /`.text())
    .trim()
    .split("\n")[1]!
    .trim()
    .split(/\s+/)
    .map(Number);
  // Others write to the disk meanwhile.
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

it("logs each change of the unreadable disks once", () => {
  const said: string[] = [];
  const watch = watchUnreadable((text) => said.push(text));
  const closed = { mount: "/home/ann/data", reason: "permission" };
  for (const disks of [[], [closed], [closed], [closed, { mount: "/nas", reason: "timeout" }], []]) watch.set(disks);
  expect(said).toHaveLength(3);
  expect(said[0]).toContain("/home/ann/data (a folder above it is closed to this program's user");
  expect(said[1]).toContain("/nas (it does not answer within 3 s)");
  expect(said[1]).not.toContain("/home/ann/data");
  expect(said[2]).toBe("All disks can be read again.");
});
