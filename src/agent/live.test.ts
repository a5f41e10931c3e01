import { expect, it } from "bun:test";
import { createSleepyTime } from "../testing/agent-program";
import { KEY, refusal, startFakeHub } from "../testing/servers/fake-hub";
import { createLiveView } from "./live";
import type { Reading } from "./platform/platform";

const ok = (seconds: unknown) => Response.json({ success: true, seconds });

/** A live view of a machine whose processor is a quarter busy, with a hub that gives these answers and then fails. */
const setUp = (answers: ((time: ReturnType<typeof createSleepyTime>) => Response | Promise<Response>)[]) => {
  const console = startFakeHub();
  const time = createSleepyTime();
  const stop = new AbortController();
  const left = [...answers];
  console.answer(() => left.shift()?.(time) ?? refusal(503, "unavailable"));
  const asked: (readonly string[] | undefined)[] = [];
  const readQuick = (): Reading => {
    const passed = time.monotonic();
    return {
      cpu: [{ busy: [passed], idle: [3 * passed] }],
      memory: { total: 100, used: 40 },
      disks: [],
      unreadable: [],
      network: { eth0: { rx: 2048 * passed, tx: 0 } },
    };
  };
  const figures = {
    read: async (_reading: Reading, only?: readonly string[]) => {
      asked.push(only);
      return {};
    },
  };
  const begin = createLiveView({
    ...{ server: console.url, key: KEY, platform: { readQuick }, figures, time, stop: stop.signal },
    random: () => 0.5,
  });
  return { console, time, stop, begin, asked, left };
};

it("waits at the hub, then sends a sample each second for as long as the hub asks for them", async () => {
  const { console, time, begin, asked } = setUp([() => ok(35), () => ok(2), () => ok(1), () => ok(0)]);
  await begin();
  expect(console.seen.map(({ path, key, body }) => [path, key, body.samples.length])).toEqual(
    [0, 1, 1, 1, 0].map((samples) => ["/api/agents/live", KEY, samples]) as never,
  );
  const samples = console.seen.flatMap(({ body }) => body.samples);
  expect(samples.map(({ cpu, network }) => ({ cpu, network }))).toEqual(
    Array(3).fill({ cpu: 25, network: { rx: 2000, tx: 0 } }),
  );
  expect(samples[0]).toMatchObject({ memory: { total: 100, used: 40 }, disk: { total: 0, used: 0 } });
  expect(time.slept).toEqual([2500, 1000, 1000, 1000]);
  expect(new Set(asked)).toEqual(new Set([["cpu_parts", "interfaces", "disk_activity"]]));
});

it("waits again after a wait that ended without a viewer, and not when the hub ends waits at once", async () => {
  const later = (time: ReturnType<typeof createSleepyTime>) => time.sleep(55_000).then(() => ok(0));
  const { console, begin } = setUp([later, later, () => ok(0), () => ok(35)]);
  await begin();
  expect(console.seen).toHaveLength(3);
});

it("ends at the first call that fails, and begins again when it is invited again", async () => {
  const { console, begin } = setUp([() => ok(35), () => ok(35)]);
  await begin();
  expect(console.seen.map(({ body }) => body.samples.length)).toEqual([0, 1, 1]);
  await begin();
  expect(console.seen).toHaveLength(4);
});

it("takes no more of an answer than the number of seconds, at most 60", async () => {
  for (const odd of ["35", null, -1, 0.01, { valueOf: 35 }, [35], Number.NaN]) {
    const { console, begin } = setUp([() => ok(odd)]);
    await begin();
    expect(console.seen).toHaveLength(1);
  }
  const ages = setUp([() => ok(1e9), (time) => time.sleep(61_000).then(() => ok(1))]);
  await ages.begin();
  expect(ages.console.seen).toHaveLength(3);
});

it("runs once, however often it is invited", async () => {
  const { console, begin } = setUp([() => ok(35)]);
  await Promise.all([begin(), begin(), begin()]);
  expect(console.seen).toHaveLength(2);
});

it("ends at once when the agent stops, while it waits and while it sends", async () => {
  for (const sent of [1, 2]) {
    const { console, stop, begin } = setUp([() => ok(35), () => ok(35)].slice(0, sent - 1));
    console.answer(() => {
      if (console.seen.length < sent) return ok(35);
      setTimeout(() => stop.abort(), 1);
      return new Promise<Response>(() => {});
    });
    await begin();
    expect(console.seen).toHaveLength(sent);
    await begin();
    expect(console.seen).toHaveLength(sent);
  }
});
