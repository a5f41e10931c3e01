import { describe, expect, it } from "bun:test";
import { cpuPercent, networkRate } from "./rates";

const times = (busy: number[], idle: number[]) => ({ busy, idle });

describe("processor use", () => {
  it("is the share of time that is neither idle nor iowait", () => {
    const before = [times([100, 0, 50, 0, 0, 0], [800, 50])];
    const after = [times([130, 0, 70, 0, 0, 10], [820, 70])];
    expect(cpuPercent(before, after, 60)).toBe(60);
  });

  it("tolerates an idle counter that decreases", () => {
    expect(cpuPercent([times([100], [500, 100])], [times([150], [550, 90])], 60)).toBe(50);
  });

  it("is null without elapsed time or a previous reading", () => {
    const same = [times([100], [500])];
    expect(cpuPercent(same, same, 60)).toBeNull();
    expect(cpuPercent(null, same, 60)).toBeNull();
    expect(cpuPercent(same, null, 60)).toBeNull();
    // After a restart of the machine every counter is lower.
    expect(cpuPercent(same, [times([1], [2])], 60)).toBeNull();
  });

  it("compares each processor with itself when one is added or removed", () => {
    const one = times([100], [100]);
    const later = times([150], [150]);
    const hotPlugged = times([90_000], [10]);
    expect(cpuPercent([one], [later, hotPlugged], 60)).toBe(50);
    expect(cpuPercent([one, hotPlugged], [later], 60)).toBe(50);
  });

  it("is relative to a container's own processors, at most 100", () => {
    const before = { microseconds: 1_000_000, processors: 1.5 };
    expect(cpuPercent(before, { microseconds: 46_000_000, processors: 1.5 }, 60)).toBe(50);
    expect(cpuPercent(before, { microseconds: 900_000_000, processors: 1.5 }, 60)).toBe(100);
    expect(cpuPercent(before, { microseconds: 500, processors: 1.5 }, 60)).toBeNull();
    expect(cpuPercent(before, [times([1], [1])], 60)).toBeNull();
  });
});

describe("network rate", () => {
  it("is in KB of 1,024 bytes a second, over all interfaces", () => {
    const before = { eth0: { rx: 1000, tx: 0 }, eth1: { rx: 0, tx: 512 } };
    const after = { eth0: { rx: 1000 + 10_240, tx: 5120 }, eth1: { rx: 10_240, tx: 512 } };
    expect(networkRate(before, after, 10)).toEqual({ rx: 2, tx: 0.5 });
  });

  it("is null when a counter decreased, as after a driver reload", () => {
    expect(networkRate({ eth0: { rx: 1000, tx: 50 } }, { eth0: { rx: 10, tx: 60 } }, 10)).toBeNull();
  });

  it("ignores an interface that was added or removed between readings", () => {
    const eth0 = [
      { rx: 0, tx: 0 },
      { rx: 1024, tx: 2048 },
    ] as const;
    expect(
      networkRate({ eth0: eth0[0], usb0: { rx: 9, tx: 9 } }, { eth0: eth0[1], wlan0: { rx: 1e9, tx: 1e9 } }, 1),
    ).toEqual({
      rx: 1,
      tx: 2,
    });
    expect(networkRate({}, { wlan0: { rx: 1e9, tx: 1e9 } }, 1)).toBeNull();
  });
});
