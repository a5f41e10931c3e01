import { describe, expect, it } from "bun:test";
import type { Sample } from "../shared/agents/report";
import { createSleepyTime, START } from "../testing/agent-program";
import { collect, cpuPercent, networkRate, watchUnreadable } from "./collect";
import type { Reading } from "./platform/platform";

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

type Options = {
  interval: number;
  samples: number;
  /** Called at the start of the reading with this number, the first being 0. */
  beforeReading?: Record<number, (time: ReturnType<typeof createSleepyTime>) => void>;
  reading?: Partial<Reading>;
};

/** Collects a number of samples of a machine that is half busy and receives 1 KB/s. */
const collectSome = async ({ interval, samples, beforeReading = {}, reading = {} }: Options) => {
  const time = createSleepyTime();
  const stop = new AbortController();
  const kept: Sample[] = [];
  let readings = 0;
  const read = async (): Promise<Reading> => {
    beforeReading[readings++]?.(time);
    const seconds = time.monotonic() / 1000;
    return {
      cpu: [{ busy: [seconds * 100], idle: [seconds * 100] }],
      memory: { total: 100, used: 40 },
      disks: [
        { mount: "/", total: 60, used: 6 },
        { mount: "/srv", total: 40, used: 30 },
      ],
      unreadable: [],
      network: { eth0: { rx: seconds * 1024, tx: 0 } },
      uptime: 3600 + seconds + Math.random() / 10,
      ...reading,
    };
  };
  await collect({
    platform: { read },
    figures: { read: async () => ({}) },
    time,
    interval,
    signal: stop.signal,
    keep: (sample) => {
      if (kept.push(sample) === samples) stop.abort();
    },
  });
  const seconds = kept.map(({ at }) => (Date.parse(at) - START) / 1000);
  return { kept, seconds, time };
};

it("takes the first sample after five seconds, then one every interval", async () => {
  const { kept, seconds } = await collectSome({ interval: 60, samples: 4 });
  expect(seconds).toEqual([5, 65, 125, 185]);
  for (const { cpu, network } of kept) expect([cpu, network]).toEqual([50, { rx: 1, tx: 0 }]);
});

it("reports no rates in the first five seconds", async () => {
  const { kept, seconds } = await collectSome({ interval: 2, samples: 4 });
  expect(seconds).toEqual([2, 4, 6, 8]);
  expect(kept.map(({ cpu }) => cpu)).toEqual([null, null, 50, 50]);
  expect(kept.map(({ network }) => network?.rx ?? null)).toEqual([null, null, 1, 1]);
});

it("adds up the disks and reports a stable boot time", async () => {
  const { kept } = await collectSome({ interval: 60, samples: 3 });
  expect(kept[0]).toMatchObject({ memory: { total: 100, used: 40 }, disk: { total: 100, used: 36 } });
  expect(kept[0]?.disks).toHaveLength(2);
  const boots = new Set(kept.map(({ boot_time }) => boot_time));
  expect(boots.size).toBe(1);
  expect(Math.abs(Date.parse([...boots][0]!) - (START - 3_600_000))).toBeLessThanOrEqual(1000);
});

it("reports unknown figures as null", async () => {
  const nothing = { cpu: null, memory: null, disks: [], network: {}, uptime: undefined };
  const { kept } = await collectSome({ interval: 60, samples: 1, reading: nothing });
  const unknown = { total: 0, used: 0 };
  expect(kept[0]).toEqual({
    at: new Date(START + 5000).toISOString(),
    cpu: null,
    memory: unknown,
    disk: unknown,
    disks: [],
    network: null,
  });
});

it("restarts rates after the machine slept", async () => {
  const { seconds, kept } = await collectSome({
    interval: 60,
    samples: 4,
    beforeReading: { 2: (time) => time.suspend(8 * 3_600_000) },
  });
  // Readings 0 to 2 are the start and two samples; the reading that finds the gap is the new start.
  expect(seconds.slice(0, 2)).toEqual([5, 65]);
  expect(seconds[2]).toBe(seconds[3]! - 60);
  expect(seconds[2]! - 65).toBe(8 * 3600 + 60 + 5);
  expect(kept.every(({ cpu }) => cpu === 50)).toBe(true);
});

it("computes rates from the monotonic clock when the clock is set back", async () => {
  const { seconds, kept } = await collectSome({
    interval: 60,
    samples: 4,
    beforeReading: { 2: (time) => time.setClock(-3_600_000) },
  });
  expect(seconds).toEqual([5, 65, 125 - 3600, 185 - 3600]);
  expect(kept.map(({ network }) => network?.rx)).toEqual([1, 1, 1, 1]);
});

it("skips missed intervals", async () => {
  const { seconds } = await collectSome({
    interval: 10,
    samples: 4,
    beforeReading: { 2: (time) => void time.sleep(14_000) },
  });
  expect(seconds[0]).toBe(5);
  for (const [index, second] of seconds.entries())
    if (index > 0) expect(second - seconds[index - 1]!).toBeGreaterThan(5);
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
