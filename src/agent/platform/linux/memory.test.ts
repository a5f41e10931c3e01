import { describe, expect, it } from "bun:test";
import { parseContainerMemory, parseMeminfo, reclaimableArc } from "./memory";

const KB = 1024;
const lines = (fields: Record<string, number>) =>
  Object.entries(fields)
    .map(([name, value]) => `${`${name}:`.padEnd(16)}${String(value).padStart(8)} kB\n`)
    .join("");

const DEBIAN = {
  MemTotal: 16_318_480,
  MemFree: 1_024_000,
  MemAvailable: 9_000_000,
  Buffers: 300_000,
  Cached: 7_000_000,
};

describe("memory", () => {
  it("counts memory as used unless it is available, as `free` does", () => {
    expect(parseMeminfo(lines(DEBIAN)).memory).toEqual({
      total: 16_318_480 * KB,
      used: (16_318_480 - 9_000_000) * KB,
    });
  });

  it("estimates available memory on kernels without MemAvailable", () => {
    const old = {
      MemTotal: 1_000_000,
      MemFree: 100_000,
      Buffers: 50_000,
      Cached: 300_000,
      Shmem: 20_000,
      SReclaimable: 10_000,
    };
    expect(parseMeminfo(lines(old)).memory).toEqual({ total: 1_000_000 * KB, used: 560_000 * KB });
  });

  it("is null when more memory is available than exists, as on old OpenVZ", () => {
    expect(parseMeminfo(lines({ MemTotal: 524_288, MemFree: 400_000, MemAvailable: 18_000_000 })).memory).toBeNull();
    expect(parseMeminfo("").memory).toBeNull();
  });

  it("does not count the reclaimable ZFS cache", () => {
    const arcstats = `13 1 0x01 147 39984 4218305112 1391824386514
name                            type data
hits                            4    123456
c_min                           4    1073741824
c_max                           4    8589934592
size                            4    4294967296
`;
    expect(reclaimableArc(arcstats)).toBe(3 * 1024 ** 3);
    const { memory } = parseMeminfo(lines(DEBIAN), reclaimableArc(arcstats));
    expect(memory?.used).toBe((16_318_480 - 9_000_000) * KB - 3 * 1024 ** 3);
    expect(reclaimableArc(arcstats.replace("4294967296", "1000"))).toBe(0);
  });
});

describe("swap", () => {
  it("counts swap as used unless it is free or cached", () => {
    const { swap } = parseMeminfo(lines({ ...DEBIAN, SwapTotal: 2000, SwapFree: 500, SwapCached: 300 }));
    expect(swap).toEqual({ total: 2000 * KB, used: 1200 * KB });
  });

  it("reports zero swap when there is none, and omits it when it is unknown", () => {
    expect(parseMeminfo(lines({ ...DEBIAN, SwapTotal: 0, SwapFree: 0 })).swap).toEqual({ total: 0, used: 0 });
    expect(parseMeminfo(lines(DEBIAN)).swap).toBeUndefined();
  });
});

describe("a container's memory", () => {
  const stat = "anon 52428800\nfile 104857600\ninactive_file 83886080\n";

  it("counts a container's memory without the file cache, relative to its limit", () => {
    expect(parseContainerMemory({ current: "157286400\n", max: "536870912\n", stat }, 16e9)).toEqual({
      total: 536_870_912,
      used: 157_286_400 - 83_886_080,
    });
  });

  it("counts a container's memory relative to the host's memory without a limit", () => {
    expect(parseContainerMemory({ current: "157286400\n", max: "max\n", stat }, 16e9)?.total).toBe(16e9);
    expect(parseContainerMemory({ current: "157286400\n", max: "99999999999999\n", stat }, 16e9)?.total).toBe(16e9);
    expect(parseContainerMemory({ current: "", max: null, stat: "" }, 16e9)).toBeNull();
  });
});
