import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { pauseAfter } from "../../../agent/send/hub-client";
import { madeBy } from "../../../db/owner";
import { agentStates, agents, events } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import type { TestUser } from "../../../testing/fixtures/people";

import { createOfflineSweep, extendDeadlines, markOfflineServers, offlineAfter } from "./offline";

const [SECOND, MINUTE] = [1000, 60_000];
const COUNT = 1000;
/** Seconds. */
const INTERVALS = [10, 15, 30, 45, 60, 120, 300];
const SWEEP = 5 * SECOND;

/** Pseudo-random numbers from 0 to 1, the same in each run. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

type Model = { id: number; interval: number; failures: number; next: number; dead: boolean };

const addServers = async ({ app, owner }: { app: TestApp; owner: TestUser }, random: () => number) => {
  const models = Array.from({ length: COUNT }, (_, index): Model => {
    const interval = INTERVALS[index % INTERVALS.length] as number;
    return { id: index + 1, interval, failures: 0, next: START + random() * interval * SECOND, dead: index % 50 === 0 };
  });
  const identity = { ...madeBy(owner), hostname: "h", ipAddresses: [], os: "", version: "", createdAt: START };
  await app.db
    .insert(agents)
    .values(models.map(({ id }) => ({ ...identity, id, name: `agent ${id}`, enrollment: `agent ${id}` })));
  await app.db.insert(agentStates).values(
    models.map(({ id, interval, next }) => {
      const reportedAt = next - interval * SECOND;
      const expiresAt = reportedAt + offlineAfter(interval);
      return { agentId: id, keyHash: `key ${id}`, status: "active" as const, interval, reportedAt, expiresAt };
    }),
  );
  return models;
};

/** Stores that agents reported now, with the deadline that a report sets. */
const storeReports = async ({ db, clock }: TestApp, reporting: Model[]) => {
  for (const interval of INTERVALS) {
    const ids = reporting.filter((model) => model.interval === interval).map(({ id }) => id);
    if (ids.length === 0) continue;
    const expiresAt = clock.now() + offlineAfter(interval);
    await db
      .update(agentStates)
      .set({ status: "active", reportedAt: clock.now(), expiresAt })
      .where(isOneOf(agentStates.agentId, ids));
  }
};

for (const minutes of [1, 2, 5, 12, 30, 60])
  it(`marks every dead agent and no other as offline after the hub was down for ${minutes} minutes`, async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const random = numbers(minutes);
    const models = await addServers({ app, owner: bob }, random);
    const returns = START + minutes * MINUTE;
    // While the hub is down each attempt fails: at once, or after the 10 s of the agent's timeout.
    for (const model of models)
      while (model.next < returns)
        model.next += (random() < 0.5 ? 0 : 10 * SECOND) + pauseAfter(++model.failures, 0, random);
    app.clock.set(returns);
    await extendDeadlines(app.deps);
    for (let now = returns; now <= returns + 20 * MINUTE; now += SWEEP) {
      app.clock.set(now);
      const reporting = models.filter(({ dead, next }) => !dead && next <= now);
      await storeReports(app, reporting);
      for (const model of reporting) model.next += model.interval * SECOND;
      await markOfflineServers(app.deps);
    }
    const found = await app.db.select().from(events).where(eq(events.kind, "offline"));
    const dead = models.filter((model) => model.dead).map(({ id }) => id);
    expect(found.map(({ targetId }) => targetId).toSorted((a, b) => a - b)).toEqual(dead);
  });

it("no server goes offline while the network of the hub is down, and each has its usual time afterwards", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agents = [await enrollAgent(app, bob), await enrollAgent(app, bob)];
  for (const agent of agents) await agent.report([sampleAt(app.clock.now())]);
  let lostSince: number | null = null;
  app.deps.watching.observe("hub_offline", () => lostSince);
  const sweep = createOfflineSweep(app.deps);
  const pass = async (length: number) => {
    for (const end = app.clock.now() + length; app.clock.now() < end; ) {
      await app.clock.advance(SWEEP);
      app.deps.watching.look();
      await app.deps.watching.stored();
      await sweep();
    }
  };
  const statuses = async () => (await app.as(bob).get("/api/agents")).body.agents.map(({ status }) => status);
  // Reports stop a while before the hub notices that its network is down.
  await pass(25 * SECOND);
  lostSince = app.clock.now();
  await pass(2 * MINUTE);
  expect(await statuses()).toEqual(["active", "active"]);
  lostSince = null;
  await pass(2 * MINUTE);
  expect(await statuses()).toEqual(["active", "active"]);
  await agents[0]?.report([sampleAt(app.clock.now())]);
  await pass(150 * SECOND);
  expect((await statuses()).toSorted()).toEqual(["active", "inactive"]);
  expect(await app.db.$count(events)).toBe(1);
});
