import { expect, it } from "bun:test";
import { parseContainerCpu, parseStat } from "./cpu";

it("parses the CPU line of /proc/stat with iowait as idle", () => {
  const text = `cpu  4705 356 584 3699 23 11 26 7 900 80
cpu0 1393280 32966 572056 13343292 6130 0 17875 0 23933 0
cpu1 1335942 34566 574061 13342292 5130 0 17475 0 23933 0
intr 114930548 113199788 3 0 5 263
ctxt 1990473
btime 1062191376
`;
  // Guest time (900 and 80) is inside user and nice already.
  expect(parseStat(text)).toEqual([{ busy: [4705, 356, 584, 11, 26, 7], idle: [3699, 23] }]);
});

it("parses the short CPU line of old kernels", () => {
  expect(parseStat("cpu  100 5 50 1000\ncpu0 100 5 50 1000\n")).toEqual([
    { busy: [100, 5, 50, 0, 0, 0], idle: [1000, 0] },
  ]);
});

it("returns null without a CPU line", () => {
  expect(parseStat("")).toBeNull();
  expect(parseStat("intr 1 2 3\n")).toBeNull();
});

it("derives a container's processors from its quota", () => {
  const stat = "usage_usec 8420000\nuser_usec 6000000\nsystem_usec 2420000\nnr_periods 0\n";
  expect(parseContainerCpu(stat, "150000 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 1.5 });
  expect(parseContainerCpu(stat, "max 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 8 });
  expect(parseContainerCpu(stat, "1600000 100000\n", 8)).toEqual({ microseconds: 8_420_000, processors: 8 });
  expect(parseContainerCpu(stat, null, 2)).toEqual({ microseconds: 8_420_000, processors: 2 });
  expect(parseContainerCpu("", null, 2)).toBeNull();
});
