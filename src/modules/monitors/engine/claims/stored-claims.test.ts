import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../../cluster/instances";
import { processDialect } from "../../../../core/config";
import { instances, monitorStates } from "../../../../db/schema";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { finishChecks, readState } from "../../../../testing/fixtures/engine";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { isClaimedBy, type Result } from "../record";
import {
  claimDue,
  claimOne,
  createStoredClaims,
  readClaim,
  releaseAll,
  releaseLost,
  resetFutureDueTimes,
} from "./stored-claims";

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
  it("do not drift: 10 in 10 minutes, a minute apart, with irregular ticks", async () => {
    const { app, add } = await setUp();
    await add();
    await claim(app, START);
    const due: number[] = [];
    const steps = [1000, 700, 1900, 9003, 4700, 300, 6100];
    for (let now = START + 2000, step = 0; now < START + 10 * MINUTE + 10_000; now += steps[step++ % steps.length]!) {
      await release(app);
      due.push(...(await claim(app, now)).map(({ dueAt }) => dueAt));
    }
    expect(due).toHaveLength(10);
    const gaps = due.slice(1).map((at, index) => at - due[index]!);
    expect(new Set(gaps)).toEqual(new Set([MINUTE]));
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
    expect((nextCheckAt ?? 0) - late).toBeWithin(1001, MINUTE + 1001);
  });

  it("follow every interval from the shortest to the longest", async () => {
    const { app, add } = await setUp();
    for (const interval of [60, 61, 300, 3600, 86_399, 86_400]) {
      const id = await add(interval);
      await claim(app, START);
      const first = (await readState(app, id)).nextCheckAt ?? 0;
      expect(first - START).toBeWithin(1001, interval * 1000 + 1001);
      await release(app);
      await claim(app, first);
      expect((await readState(app, id)).nextCheckAt).toBe(first + interval * 1000);
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
    await app.db.atomically(() => [claimOne("one", START, START + 5000, START + 6000, id)]);
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
    expect(((await readState(app, minutely)).nextCheckAt ?? 0) - back).toBeWithin(1, MINUTE + 1);
    expect(((await readState(app, hourly)).nextCheckAt ?? 0) - back).toBeWithin(1, HOUR + 2001);
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
    expect(((await readState(app, id)).nextCheckAt ?? 0) - (START - HOUR)).toBeWithin(1, MINUTE + 1001);
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

const resultOf = (monitorId: number): Result => ({
  monitorId,
  revision: 0,
  checkedAt: START,
  up: true,
  responseTime: 10,
  statusCode: 200,
  error: null,
  certExpiresAt: null,
});

const setUpClaims = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const known: number[] = [];
  const claims = createStoredClaims({ ...app.deps, known: () => known });
  const add = () => addMonitor(app, alice, { url: "http://127.0.0.1:1/" });
  const setClaim = (id: number, claimedBy: string) =>
    app.db.update(monitorStates).set({ claimedBy, dueAt: START }).where(eq(monitorStates.monitorId, id));
  return { app, known, claims, add, setClaim };
};

describe("after a write whose outcome is unknown", () => {
  it("the next write releases the claims of this instance that are not in flight, and no others", async () => {
    const { app, known, claims, add, setClaim } = await setUpClaims();
    const [lost, held, others] = [await add(), await add(), await add()];
    await setClaim(lost, app.deps.instance);
    await setClaim(held, app.deps.instance);
    await setClaim(others, "another");
    known.push(held);
    const stored = async () =>
      Promise.all([lost, held, others].map(async (id) => (await readState(app, id)).claimedBy));
    await claims.writeAndClaim([resultOf(held)], 0);
    const after = [app.deps.instance, null, "another"];
    expect(await stored()).toEqual(after);
    const { atomically } = app.db;
    app.db.atomically = () => Promise.reject(new Error("the connection was lost"));
    await expect(claims.writeAndClaim([resultOf(held)], 0)).rejects.toThrow();
    app.db.atomically = atomically;
    expect(await stored()).toEqual(after);
    await setClaim(held, app.deps.instance);
    await claims.writeAndClaim([resultOf(others)], 0);
    expect(await stored()).toEqual([null, app.deps.instance, "another"]);
  });
});

it("a release that waited for another write leaves the claim of a check that began since", async () => {
  const { app, known, claims, add, setClaim } = await setUpClaims();
  const [again, idle] = [await add(), await add()];
  for (const id of [again, idle]) await setClaim(id, app.deps.instance);
  const before = claims.exclusively(async () => {
    // The monitor is claimed again before the release gets its turn.
    known.push(again);
  });
  await Promise.all([before, claims.release([again, idle])]);
  expect((await readState(app, again)).claimedBy).toBe(app.deps.instance);
  expect((await readState(app, idle)).claimedBy).toBeNull();
});

describe("a clock that was set back", () => {
  it("due times beyond an interval are reset, at the first tick too", async () => {
    const { app, claims, add } = await setUpClaims();
    const id = await add();
    const dueAt = async () => (await readState(app, id)).nextCheckAt ?? 0;
    const setDueAt = (nextCheckAt: number) => app.db.update(monitorStates).set({ nextCheckAt });
    await setDueAt(START + HOUR);
    await claims.followClock();
    expect(await dueAt()).toBeWithin(START, START + 62_001);
    await setDueAt(START + HOUR);
    // Drift is not a jump.
    for (const time of [START, START - 2000]) {
      app.clock.set(time);
      await claims.followClock();
      expect(await dueAt()).toBe(START + HOUR);
    }
    app.clock.set(START - 4001);
    await claims.followClock();
    expect(await dueAt()).toBeWithin(START - 4001, START + 58_001);
  });
});

describe("a heartbeat", () => {
  it("releases the claims of a dead instance, and not those of living ones", async () => {
    const { app, claims, add, setClaim } = await setUpClaims();
    const [dead, living] = [await add(), await add()];
    await app.db.insert(instances).values([
      { id: "dead", seenAt: START - INSTANCE_TIMEOUT },
      { id: "living", seenAt: START - INSTANCE_TIMEOUT + 1 },
    ]);
    await setClaim(dead, "dead");
    await setClaim(living, "living");
    await claims.beat();
    expect((await readState(app, dead)).claimedBy).toBeNull();
    expect((await readState(app, living)).claimedBy).toBe("living");
    const rows = await app.db.select({ id: instances.id }).from(instances);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(["living", app.deps.instance].toSorted());
  });
});

describe("signing off", () => {
  it("releases every claim of this instance and removes its heartbeat", async () => {
    const { app, claims, add, setClaim } = await setUpClaims();
    const id = await add();
    await claims.beat();
    await setClaim(id, app.deps.instance);
    await claims.signOff();
    expect(await readState(app, id)).toMatchObject({ claimedBy: null, nextCheckAt: START });
    expect(await app.db.$count(instances)).toBe(0);
  });

  it("logs a failure and resolves", async () => {
    const { app, claims } = await setUpClaims();
    app.db.atomically = () => Promise.reject(new Error("the connection was lost"));
    await claims.signOff();
    await claims.release([1]);
    expect(app.logged.filter((line) => line.includes("the connection was lost"))).toHaveLength(2);
  });
});
