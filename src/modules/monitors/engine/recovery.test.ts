import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../cluster/instances";
import { instances, monitorStates } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { readState } from "../../../testing/fixtures/engine";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { createRecovery } from "./recovery";

const HOUR = 3_600_000;

const setUp = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const known: number[] = [];
  const recovery = createRecovery({ ...app.deps, known: () => known });
  const add = () => addMonitor(app, alice, { url: "http://127.0.0.1:1/" });
  const setClaim = (id: number, claimedBy: string) =>
    app.db.update(monitorStates).set({ claimedBy, dueAt: START }).where(eq(monitorStates.monitorId, id));
  return { app, known, recovery, add, setClaim };
};

describe("after a write whose outcome is unknown", () => {
  it("the next write releases the claims of this instance that are not in flight, and no others", async () => {
    const { app, known, recovery, add, setClaim } = await setUp();
    const [lost, held, others] = [await add(), await add(), await add()];
    await setClaim(lost, app.deps.instance);
    await setClaim(held, app.deps.instance);
    await setClaim(others, "another");
    known.push(held);
    const claims = async () =>
      Promise.all([lost, held, others].map(async (id) => (await readState(app, id)).claimedBy));
    const before = [app.deps.instance, app.deps.instance, "another"];
    await recovery.exclusively((atomically) => atomically(() => [sql`select 1`]));
    expect(await claims()).toEqual(before);
    await expect(
      recovery.exclusively((atomically) => atomically(() => [sql`insert into nowhere values (1)`])),
    ).rejects.toThrow();
    expect(await claims()).toEqual(before);
    await recovery.exclusively((atomically) => atomically(() => [sql`select 1`]));
    expect(await claims()).toEqual([null, app.deps.instance, "another"]);
  });
});

describe("after the clock was set back", () => {
  it("due times beyond an interval are reset, at the first tick too", async () => {
    const { app, recovery, add } = await setUp();
    const id = await add();
    const dueAt = async () => (await readState(app, id)).nextCheckAt ?? 0;
    const setDueAt = (nextCheckAt: number) => app.db.update(monitorStates).set({ nextCheckAt });
    await setDueAt(START + HOUR);
    await recovery.followClock();
    expect(await dueAt()).toBeWithin(START, START + 62_001);
    await setDueAt(START + HOUR);
    // Drift is not a jump.
    for (const time of [START, START - 2000]) {
      app.clock.set(time);
      await recovery.followClock();
      expect(await dueAt()).toBe(START + HOUR);
    }
    app.clock.set(START - 4001);
    await recovery.followClock();
    expect(await dueAt()).toBeWithin(START - 4001, START + 58_001);
  });
});

describe("a heartbeat", () => {
  it("releases the claims of a dead instance, and not those of living ones", async () => {
    const { app, recovery, add, setClaim } = await setUp();
    const [dead, living] = [await add(), await add()];
    await app.db.insert(instances).values([
      { id: "dead", seenAt: START - INSTANCE_TIMEOUT },
      { id: "living", seenAt: START - INSTANCE_TIMEOUT + 1 },
    ]);
    await setClaim(dead, "dead");
    await setClaim(living, "living");
    await recovery.beat();
    expect((await readState(app, dead)).claimedBy).toBeNull();
    expect((await readState(app, living)).claimedBy).toBe("living");
    const rows = await app.db.select({ id: instances.id }).from(instances);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(["living", app.deps.instance].toSorted());
  });
});

describe("signing off", () => {
  it("releases every claim of this instance and removes its heartbeat", async () => {
    const { app, recovery, add, setClaim } = await setUp();
    const id = await add();
    await recovery.beat();
    await setClaim(id, app.deps.instance);
    await recovery.signOff();
    expect(await readState(app, id)).toMatchObject({ claimedBy: null, nextCheckAt: START });
    expect(await app.db.$count(instances)).toBe(0);
  });

  it("logs a failure and resolves", async () => {
    const { app, recovery } = await setUp();
    app.db.atomically = () => Promise.reject(new Error("the connection was lost"));
    await recovery.signOff();
    await recovery.release([1]);
    expect(app.logged.filter((line) => line.includes("the connection was lost"))).toHaveLength(2);
  });
});
