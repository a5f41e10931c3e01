import { expect, it } from "bun:test";
import { $ } from "bun";
import { disksOf } from "./disks";
import { createSpaceReader, spaceOf } from "./statfs";

const GB = 1024 ** 3;

it("counts in the unit of the filesystem, and by what its users can fill", () => {
  const blocks = { bsize: 1_048_576, frsize: 4096, blocks: 1000, bfree: 400, bavail: 350 };
  expect(spaceOf(blocks)).toEqual({ used: 600 * 4096, available: 350 * 4096 });
  expect(spaceOf({ ...blocks, frsize: 0, bsize: 512 })).toEqual({ used: 600 * 512, available: 350 * 512 });
  // A filesystem over its reserve has less than nothing.
  expect(spaceOf({ ...blocks, bavail: -5 }).available).toBe(0);
});

it.if(process.platform === "linux")("agrees with df", async () => {
  const space = (await createSpaceReader()(["/"])).get("/");
  const [used = 0, available = 0] = (await $`df -B1 --output=used,avail /`.text())
    .trim()
    .split("\n")[1]!
    .trim()
    .split(/\s+/)
    .map(Number);
  // Others write to the disk meanwhile.
  const near = 64 * 1024 ** 2;
  expect(Math.abs((space?.used ?? 0) - used)).toBeLessThan(near);
  expect(Math.abs((space?.available ?? 0) - available)).toBeLessThan(near);
});

it("gives nothing for what is not there, and asks on", async () => {
  const read = createSpaceReader();
  for (let round = 0; round < 2; round++) expect((await read(["/does/not/exist"])).get("/does/not/exist")).toBeNull();
});

it("adds up a pool of which each part holds some, and the free space once", () => {
  const spaces = new Map([
    ["/tank", { used: 1 * GB, available: 90 * GB }],
    ["/tank/media", { used: 9 * GB, available: 90 * GB }],
  ]);
  expect(disksOf([{ path: "/tank", parts: ["/tank/media"] }], spaces)).toEqual([
    { mount: "/tank", total: 100 * GB, used: 10 * GB },
  ]);
});

it("leaves out a disk that does not answer, and one without any space", () => {
  const spaces = new Map([
    ["/host/", { used: 1, available: 3 }],
    ["/host/nas", null],
    ["/host/empty", { used: 0, available: 0 }],
  ]);
  const mounts = ["/", "/nas", "/empty"].map((path) => ({ path, parts: [] }));
  expect(disksOf(mounts, spaces, "/host")).toEqual([{ mount: "/", total: 4, used: 1 }]);
});
