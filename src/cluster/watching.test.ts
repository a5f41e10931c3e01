import { describe, expect, it } from "bun:test";
import { processDialect } from "../core/config";
import { hubGaps, instances } from "../db/schema";
import type { Interval } from "../lib/intervals";
import { HOUR, MINUTE, SECOND } from "../shared/limits";
import { createTestApp, type TestApp } from "../testing/app";
import { createTestClock, START } from "../testing/clock";
import { createRandom, seedOr } from "../testing/random";
import { createHeartbeat, INSTANCE_TIMEOUT } from "./instances";
import { createWatching } from "./watching";

type Reasons = Record<"hub_offline" | "hub_overloaded", number | null>;

/** A process that looks once a second, and the reasons why it sees nothing. */
const startProcess = (app: TestApp, instance = "one") => {
  const deps = { ...app.deps, instance };
  const watching = createWatching(deps);
  const heartbeat = createHeartbeat(deps);
  const reasons: Reasons = { hub_offline: null, hub_overloaded: null };
  for (const reason of ["hub_offline", "hub_overloaded"] as const) watching.observe(reason, () => reasons[reason]);
  const look = async () => {
    await heartbeat.beat();
    watching.look();
    await watching.stored();
  };
  return { watching, reasons, look };
};

const setUp = async () => {
  const app = await createTestApp({ clock: createTestClock() });
  const process = startProcess(app);
  return {
    app,
    ...process,
    pass: async (length: number, processes = [process]) => {
      for (const end = app.clock.now() + length; app.clock.now() < end; ) {
        await app.clock.advance(Math.min(SECOND, end - app.clock.now()));
        for (const { look } of processes) await look();
      }
    },
    gaps: async () =>
      (await app.db.select().from(hubGaps))
        .toSorted((one, other) => one.startedAt - other.startedAt)
        .map(({ startedAt, endedAt, reason }) => [
          reason,
          (startedAt - START) / SECOND,
          endedAt === null ? null : (endedAt - START) / SECOND,
        ]),
  };
};

describe("a cut of the hub's network", () => {
  it("is unknown also when it is noticed after its end, and lasts until its end is decided", async () => {
    const { app, watching, reasons, look, pass, gaps } = await setUp();
    await look();
    await pass(10 * SECOND);
    watching.missed({ from: START + 3 * SECOND, to: app.clock.now(), reason: "hub_offline" });
    await pass(2 * SECOND);
    reasons.hub_offline = app.clock.now();
    await pass(2 * SECOND);
    reasons.hub_offline = null;
    watching.look();
    expect(watching.isBlind()).toBe(watching.unknown() !== null);
    await pass(SECOND);
    expect([watching.isBlind(), (await gaps())[0]]).toEqual([false, ["hub_offline", 3, 10]]);
  });

  it("is unknown from its beginning on, and stored when it begins and when it ends", async () => {
    const { app, watching, reasons, look, pass, gaps } = await setUp();
    await look();
    await pass(10 * SECOND);
    expect([watching.unknown(), watching.isBlind()]).toEqual([null, false]);
    reasons.hub_offline = app.clock.now() - 4 * SECOND;
    await pass(SECOND);
    expect(watching.unknown()).toEqual({ since: START + 6 * SECOND, reason: "hub_offline" });
    expect(await gaps()).toEqual([["hub_offline", 6, null]]);
    await pass(MINUTE);
    reasons.hub_offline = null;
    await pass(SECOND);
    expect([watching.unknown(), watching.isBlind()]).toEqual([null, false]);
    expect(await gaps()).toEqual([["hub_offline", 6, 72]]);
  });

  it("that ends while another reason lasts is followed by that one", async () => {
    const { app, watching, reasons, look, pass, gaps } = await setUp();
    await look();
    reasons.hub_offline = app.clock.now();
    await pass(30 * SECOND);
    reasons.hub_overloaded = app.clock.now() - 20 * SECOND;
    await pass(30 * SECOND);
    expect(watching.unknown()?.reason).toBe("hub_offline");
    reasons.hub_offline = null;
    await pass(10 * SECOND);
    expect(watching.unknown()).toEqual({ since: START + 61 * SECOND, reason: "hub_overloaded" });
    reasons.hub_overloaded = null;
    await pass(SECOND);
    expect(await gaps()).toEqual([
      ["hub_offline", 0, 61],
      ["hub_overloaded", 61, 71],
    ]);
  });

  it("during which the clock is set back ends, and counts no time twice", async () => {
    const { app, watching, reasons, look, pass, gaps } = await setUp();
    await look();
    reasons.hub_offline = app.clock.now();
    await pass(MINUTE);
    reasons.hub_offline = null;
    await pass(SECOND);
    reasons.hub_offline = app.clock.now();
    await pass(MINUTE);
    app.clock.set(START - HOUR);
    await pass(MINUTE);
    expect(watching.unknown()?.since).toBeLessThanOrEqual(app.clock.now());
    reasons.hub_offline = null;
    await pass(SECOND);
    expect(watching.unknown()).toBeNull();
    const stored = await gaps();
    expect(stored.every(([, , to]) => to !== null)).toBe(true);
    expect(stored[0]).toEqual(["hub_offline", -3600 + 1, -3600 + 61]);
  });

  it("that the process does not survive is closed by the next one", async () => {
    const { app, reasons, look, pass, gaps } = await setUp();
    await look();
    reasons.hub_offline = app.clock.now();
    await pass(10 * SECOND);
    await startProcess(app, "two").look();
    expect(await gaps()).toEqual([["hub_offline", 0, 10]]);
  });
});

describe("a pause of the process", () => {
  it("of ten seconds or more is a gap, because clients give up then", async () => {
    const { app, look, gaps } = await setUp();
    await look();
    for (const pause of [5 * SECOND, 10 * SECOND - 1, HOUR, -HOUR, 5 * SECOND]) {
      await app.clock.advance(pause);
      await look();
    }
    const before = 5 + 10 - 0.001;
    expect(await gaps()).toEqual([["hub_overloaded", before, before + 3600]]);
  });

  it("is known before anything is stored, also while the database is away", async () => {
    const { app, watching, look, pass, gaps } = await setUp();
    await look();
    const missed: (Interval | null)[] = [];
    const catchUp = watching.follow(async ({ gap }) => void missed.push(gap));
    const { transact, select } = app.db;
    const away = () => {
      throw new Error("the database is away");
    };
    Object.assign(app.db, { transact: async () => away(), select: away });
    await app.clock.advance(MINUTE);
    watching.look();
    await watching.stored();
    if (processDialect === "sqlite") await catchUp();
    Object.assign(app.db, { transact, select });
    await pass(SECOND);
    await catchUp();
    expect(missed).toEqual([{ from: START, to: START + MINUTE }]);
    expect(await gaps()).toEqual([["hub_overloaded", 0, 60]]);
  });
});

it("a job that failed to catch up does it again, and only once when it did not", async () => {
  const { app, watching, look } = await setUp();
  const calls: unknown[] = [];
  const catchUp = watching.follow(async (missed) => {
    calls.push(missed);
    if (calls.length === 1) throw new Error("the database is away");
  });
  await look();
  await catchUp();
  await app.clock.advance(MINUTE);
  await look();
  await expect(catchUp()).rejects.toThrow("away");
  for (let time = 0; time < 3; time++) await catchUp();
  const gap = { from: START, to: START + MINUTE };
  expect(calls).toEqual([
    { gap, clockSetBack: false },
    { gap, clockSetBack: false },
  ]);
  app.clock.set(START);
  await look();
  await catchUp();
  expect(calls.at(-1)).toEqual({ gap: null, clockSetBack: true });
});

it("nothing is written while nothing changes", async () => {
  const { app, reasons, look, pass } = await setUp();
  await look();
  let writes = 0;
  const { transact } = app.db;
  const count: typeof transact = (body) => {
    writes++;
    return transact(body);
  };
  Object.assign(app.db, { transact: count });
  await pass(MINUTE);
  expect(writes).toBe(0);
  reasons.hub_offline = app.clock.now();
  await pass(MINUTE);
  expect(writes).toBe(1);
});

describe.if(processDialect === "postgres")("of two instances", () => {
  const setUpTwo = async () => {
    const one = await setUp();
    const two = startProcess(one.app, "two");
    const both = [{ watching: one.watching, reasons: one.reasons, look: one.look }, two];
    await one.pass(10 * SECOND, both);
    return { ...one, two, both };
  };

  it("one that is cut off leaves no gap while the other watches", async () => {
    const { app, watching, reasons, pass, gaps, both } = await setUpTwo();
    reasons.hub_offline = app.clock.now();
    await pass(MINUTE, both);
    expect([watching.unknown(), watching.isBlind()]).toEqual([null, true]);
    reasons.hub_offline = null;
    await pass(5 * SECOND, both);
    expect([watching.isBlind(), await gaps()]).toEqual([false, []]);
  });

  it("that are both cut off the later one begins the gap, and the first that is back ends it", async () => {
    const { app, watching, reasons, two, pass, gaps, both } = await setUpTwo();
    reasons.hub_offline = app.clock.now();
    await pass(30 * SECOND, both);
    two.reasons.hub_offline = app.clock.now();
    await pass(30 * SECOND, both);
    // It looked a second before the other one did.
    expect(watching.unknown()?.since).toBe(START + 41 * SECOND);
    expect(two.watching.unknown()?.since).toBe(START + 40 * SECOND);
    two.reasons.hub_offline = null;
    await pass(5 * SECOND, both);
    expect([watching.unknown(), watching.isBlind(), two.watching.isBlind()]).toEqual([null, true, false]);
    const [[reason, from, to] = [], ...others] = await gaps();
    expect([reason, from]).toEqual(["hub_offline", 40]);
    expect(Number(to) - 71).toBeLessThanOrEqual(1);
    expect(others.every(([, start, end]) => Number(end) - Number(start) <= 1)).toBe(true);
  });

  it("one that stops leaves a gap only while the other one is cut off", async () => {
    const { app, reasons, look, pass, gaps } = await setUpTwo();
    // The other one was killed.
    await pass(MINUTE);
    reasons.hub_offline = app.clock.now();
    await pass(MINUTE);
    reasons.hub_offline = null;
    await pass(SECOND);
    await look();
    expect(await gaps()).toEqual([["hub_offline", 70, 131]]);
  });

  it("one that was paused leaves no gap while the other one ran", async () => {
    const { app, watching, look, gaps, two } = await setUpTwo();
    for (let second = 0; second < 60; second++) {
      await app.clock.advance(SECOND);
      await two.look();
    }
    watching.look();
    expect(watching.isBlind()).toBe(true);
    await watching.stored();
    expect([watching.isBlind(), await gaps()]).toEqual([false, []]);
    await app.db.update(instances).set({ seenAt: START - INSTANCE_TIMEOUT });
    await app.clock.advance(HOUR);
    await look();
    expect((await gaps()).length).toBe(1);
  });
});

it("the stored gaps are the union of all reasons, and none overlap, whatever begins and ends", async () => {
  const random = createRandom(seedOr(26));
  const { app, reasons, look, pass, gaps } = await setUp();
  await look();
  const isBlind = () => Object.values(reasons).some((since) => since !== null);
  /** The seconds of all gaps: a reason that is over counts until the next look. */
  const blindSeconds = new Set<number>();
  for (let step = 0; step < 400; step++) {
    const reason = random.below(2) === 0 ? "hub_offline" : "hub_overloaded";
    const wasBlind = isBlind();
    reasons[reason] = reasons[reason] === null && step < 399 ? app.clock.now() : null;
    const [from, length] = [(app.clock.now() - START) / SECOND, 1 + random.below(4)];
    for (let second = 0; second < length; second++)
      if (isBlind() || (second === 0 && wasBlind)) blindSeconds.add(from + second);
    await pass(length * SECOND);
  }
  const stored = await gaps();
  const seconds = stored.flatMap(([, from, to]) =>
    Array.from(
      { length: Number(to ?? (app.clock.now() - START) / SECOND) - Number(from) },
      (_, index) => Number(from) + index,
    ),
  );
  expect(seconds).toEqual([...blindSeconds].toSorted((one, other) => one - other));
});
