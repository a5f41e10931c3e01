import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../../cluster/instances";
import { processDialect } from "../../../../core/config";
import { instances, monitorStates } from "../../../../db/schema";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { finishChecks, readState } from "../../../../testing/fixtures/engine";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { isClaimedBy } from "../record";
import { claimDue, claimOne, readClaim, releaseAll, releaseLost, resetFutureDueTimes } from "./stored-claims";

const [MINUTE, HOUR] = [60_000, 3_600_000];

const setUp = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const add = (interval = 60) => addMonitor(app, alice, { url: "http://127.0.0.1:1/", interval });
  return { app, add };
};

const claim = async ({ db }: TestApp, now: number, { instance = "one", limit = 1000, horizon = now + 1000 } = {}) => {
  const [rows] = await db.atomically(() => [claimDue(instance, now - INSTANCE_TIMEOUT, horizon, limit)]);
  return (rows as Record<string, unknown>[]).map(readClaim).toSorted((a, b) => a.dueAt - b.dueAt);
};
const release = ({ db }: TestApp) => db.update(monitorStates).set({ claimedBy: null });

describe("the due times of a monitor", () => {
  it("do not drift: one in each minute, with irregular ticks", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await claim(app, START);
    const due: number[] = [];
    const steps = [1000, 700, 1900, 9003, 4700, 300, 6100];
    for (let now = START + 2000, step = 0; now < START + 10 * MINUTE + 10_000; now += steps[step++ % steps.length]!) {
      await release(app);
      due.push(...(await claim(app, now)).map(({ dueAt }) => dueAt));
    }
    const minutes = due.map((at) => Math.floor((at - id * 100) / MINUTE));
    expect(minutes.slice(1, 10)).toEqual(minutes.slice(0, 9).map((minute) => minute + 1));
  });

  it("are spread over the interval for monitors that were created together", async () => {
    const { app, add } = await setUp();
    for (let count = 0; count < 20; count++) await add();
    await claim(app, START);
    await release(app);
    const due = (await claim(app, START, { horizon: START + 2 * MINUTE })).map(({ dueAt }) => dueAt);
    expect(new Set(due).size).toBe(20);
  });

  it("are neither skipped nor repeated after a late tick", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await claim(app, START);
    await release(app);
    const late = START + 10 * MINUTE;
    expect(await claim(app, late)).toHaveLength(1);
    await release(app);
    expect(await claim(app, late)).toHaveLength(0);
    const { nextCheckAt } = await readState(app, id);
    expect((nextCheckAt ?? 0) - late).toBeWithin(1001, 1.2 * MINUTE + 1001);
  });

  it("follow every interval from the shortest to the longest", async () => {
    const { app, add } = await setUp();
    for (const interval of [60, 61, 300, 3600, 86_399, 86_400]) {
      const id = await add(interval);
      await claim(app, START);
      const first = (await readState(app, id)).nextCheckAt ?? 0;
      expect(first - START).toBeWithin(1001, interval * 1200 + 1001);
      await release(app);
      await claim(app, first);
      const second = (await readState(app, id)).nextCheckAt ?? 0;
      expect(second - first).toBeWithin(interval * 800, interval * 1200 + 1);
      await release(app);
    }
  });
});

describe("a claim", () => {
  it("takes the most overdue monitors first, up to the limit", async () => {
    const { app, add } = await setUp();
    const ids = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await add());
      await app.clock.advance(100);
    }
    const first = await claim(app, START + 1000, { limit: 2 });
    expect(first.map(({ monitorId }) => monitorId)).toEqual(ids.slice(0, 2));
    expect((await claim(app, START + 1000)).map(({ monitorId }) => monitorId)).toEqual(ids.slice(2));
  });

  it("is valid while its instance is alive, and void once it is dead", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await app.db.insert(instances).values({ id: "one", seenAt: START });
    expect(await claim(app, START)).toHaveLength(1);
    expect(await claim(app, START + 19_999, { instance: "two", horizon: START + HOUR })).toHaveLength(0);
    expect(await claim(app, START + 20_000, { instance: "two", horizon: START + HOUR })).toHaveLength(1);
    expect((await readState(app, id)).claimedBy).toBe("two");
  });

  it("that is undone restores the due time", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await claim(app, START + 500);
    await app.db.atomically(() => releaseAll("one"));
    expect(await readState(app, id)).toMatchObject({ claimedBy: null, nextCheckAt: START });
  });

  it("for a manual check does not change the next due time", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await claim(app, START);
    await release(app);
    const { nextCheckAt } = await readState(app, id);
    await app.db.atomically(() => [
      claimOne({ instance: "one", deadAt: START, now: START + 5000, horizon: START + 6000 }, id),
    ]);
    expect(await readState(app, id)).toMatchObject({ claimedBy: "one", nextCheckAt });
  });
});

describe("after the clock was set back", () => {
  it("no monitor waits for longer than its interval, and due times within an interval stay the same", async () => {
    const { app, add } = await setUp();
    const [minutely, hourly, paused] = [await add(), await add(3600), await add()];
    await claim(app, START);
    await release(app);
    await app.db.update(monitorStates).set({ nextCheckAt: null }).where(eq(monitorStates.monitorId, paused));
    const before = (await readState(app, minutely)).nextCheckAt;
    await app.db.atomically(() => resetFutureDueTimes(START));
    expect((await readState(app, minutely)).nextCheckAt).toBe(before);
    const back = START - HOUR;
    await app.db.atomically(() => resetFutureDueTimes(back));
    expect(((await readState(app, minutely)).nextCheckAt ?? 0) - back).toBeWithin(1, 1.2 * MINUTE + 1);
    expect(((await readState(app, hourly)).nextCheckAt ?? 0) - back).toBeWithin(1, 1.2 * HOUR + 1);
    expect((await readState(app, paused)).nextCheckAt).toBeNull();
  });

  it.if(processDialect === "postgres")("the engine resets due times at its next tick", async () => {
    const { app, add } = await setUp();
    const id = await add();
    await claim(app, START);
    await release(app);
    await app.engine.tick();
    app.clock.set(START - HOUR);
    await finishChecks(app);
    expect(((await readState(app, id)).nextCheckAt ?? 0) - (START - HOUR)).toBeWithin(1, 1.2 * MINUTE + 1001);
  });
});

it("releaseLost restores the due times of claims that are not in flight, and of no others", async () => {
  const { app, add } = await setUp();
  const [known, lost, others] = [await add(), await add(), await add()];
  await claim(app, START);
  await app.db.update(monitorStates).set({ claimedBy: "two" }).where(eq(monitorStates.monitorId, others));
  await app.db.atomically(() => releaseLost("one", [known]));
  expect((await readState(app, known)).claimedBy).toBe("one");
  expect((await readState(app, others)).claimedBy).toBe("two");
  expect(await readState(app, lost)).toMatchObject({ claimedBy: null, nextCheckAt: START });
  await app.db.atomically(() => releaseLost("one", []));
  expect((await readState(app, known)).claimedBy).toBeNull();
});

it.if(processDialect === "postgres")(
  "PostgreSQL plans for many claimed monitors even when its statistics saw none claimed",
  async () => {
    const { app, add } = await setUp();
    const id = await add();
    const names = sql.raw("monitor_id, revision, status");
    await app.db.atomically(() => [
      sql`insert into monitors select (jsonb_populate_record(m, jsonb_build_object('id', m.id + n))).* from monitors as m, generate_series(1, 1000) as n`,
      sql`insert into monitor_states (${names}) select m.id, 0, 'up' from monitors as m where m.id <> ${id}`,
      sql`analyze monitor_states`,
    ]);
    const [plan] = await app.db.rows(
      sql`explain (format json) select 1 from ${monitorStates} where ${isClaimedBy("one")}`,
    );
    expect(JSON.stringify(plan)).toMatch(/"Plan Rows": ?([2-9]|\d\d)/);
  },
);
