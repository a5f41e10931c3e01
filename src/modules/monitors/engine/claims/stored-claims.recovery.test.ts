import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../../cluster/instances";
import { instances, monitorStates } from "../../../../db/schema";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { failWrites } from "../../../../testing/db/writes";
import { readState } from "../../../../testing/fixtures/engine";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import type { Result } from "../record";
import { createStoredClaims } from "./stored-claims";

const HOUR = 3_600_000;

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
    const mend = failWrites(app.db, "the connection was lost");
    await expect(claims.writeAndClaim([resultOf(held)], 0)).rejects.toThrow();
    mend();
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
    expect(await dueAt()).toBeWithin(START, START + 74_001);
    await setDueAt(START + HOUR);
    // Drift is not a jump.
    for (const time of [START, START - 2000]) {
      app.clock.set(time);
      await claims.followClock();
      expect(await dueAt()).toBe(START + HOUR);
    }
    app.clock.set(START - 4001);
    await claims.followClock();
    expect(await dueAt()).toBeWithin(START - 4001, START + 70_001);
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
    failWrites(app.db, "the connection was lost");
    await claims.signOff();
    await claims.release([1]);
    expect(app.logged.filter((line) => line.includes("the connection was lost"))).toHaveLength(2);
  });
});
