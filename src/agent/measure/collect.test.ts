import { expect, it } from "bun:test";
import type { Sample } from "../../shared/report";
import { createSleepyTime, START } from "../../testing/agent-program";
import { collect } from "./collect";
import type { Reading } from "./reading";

type Options = {
  interval: number;
  samples: number;
  /** What happens while the given reading is taken, the first being 0. */
  meanwhile?: Record<number, (time: ReturnType<typeof createSleepyTime>) => void>;
  reading?: Partial<Reading>;
};

/** Collects until there are so many samples, of a machine that is half busy and receives 1 KB/s. */
const collectSome = async ({ interval, samples, meanwhile = {}, reading = {} }: Options) => {
  const time = createSleepyTime();
  const stop = new AbortController();
  const kept: Sample[] = [];
  let readings = 0;
  const read = async (): Promise<Reading> => {
    meanwhile[readings++]?.(time);
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
    meanwhile: { 2: (time) => time.suspend(8 * 3_600_000) },
  });
  // Readings 0 to 2 are the start and two samples; the one that finds the gap is the new start.
  expect(seconds.slice(0, 2)).toEqual([5, 65]);
  expect(seconds[2]).toBe(seconds[3]! - 60);
  expect(seconds[2]! - 65).toBe(8 * 3600 + 60 + 5);
  expect(kept.every(({ cpu }) => cpu === 50)).toBe(true);
});

it("computes rates from the monotonic clock when the clock is set back", async () => {
  const { seconds, kept } = await collectSome({
    interval: 60,
    samples: 4,
    meanwhile: { 2: (time) => time.setClock(-3_600_000) },
  });
  expect(seconds).toEqual([5, 65, 125 - 3600, 185 - 3600]);
  expect(kept.map(({ network }) => network?.rx)).toEqual([1, 1, 1, 1]);
});

it("skips missed intervals", async () => {
  const { seconds } = await collectSome({
    interval: 10,
    samples: 4,
    meanwhile: { 2: (time) => void time.sleep(14_000) },
  });
  expect(seconds[0]).toBe(5);
  for (const [index, second] of seconds.entries())
    if (index > 0) expect(second - seconds[index - 1]!).toBeGreaterThan(5);
});
