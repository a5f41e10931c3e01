import { describe, expect, it } from "bun:test";
import { agentStates, agents, sampleHours, users } from "../../../db/schema";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { countSamples, enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import { deleteExpiredSamples } from "./retention";

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];
const NOTHING = { samples: 0, tens: 0, hours: 0 };

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  return { app, bob, agent: await enrollAgent(app, bob), other: await enrollAgent(app, bob) };
};

/** Reports a sample of each of these ages, the oldest first, at its own time. */
const reportAges = async (app: TestApp, ages: number[], report: (taken: Sample[]) => Promise<unknown>) => {
  for (const age of ages.toSorted((a, b) => b - a)) {
    app.clock.set(START - age);
    await report([sampleAt(START - age)]);
  }
  app.clock.set(START);
  await rollUpSamples(app, "now");
};

const sweep = async ({ deps }: TestApp): Promise<number> => {
  let rounds = 1;
  while (await deleteExpiredSamples(deps)) rounds++;
  return rounds;
};

describe("an old sample", () => {
  it("counts once, also when it is sent again after it was purged", async () => {
    const { app, agent } = await setUp();
    const taken = [sampleAt(START)];
    app.clock.set(START + 48 * HOUR);
    expect((await agent.report(taken)).body.accepted).toBe(1);
    expect((await agent.report(taken)).body.accepted).toBe(1);
    for (const later of [48 * HOUR + 1, 50 * HOUR, 29 * DAY]) {
      app.clock.set(START + later);
      await rollUpSamples(app);
      await sweep(app);
      expect((await agent.report([...taken, sampleAt(START + later)])).body.accepted).toBe(1);
    }
    await rollUpSamples(app, "now");
    const hours = await app.db.select().from(sampleHours).orderBy(sampleHours.bucket);
    expect(hours.map(({ bucket, memoryCount }) => [bucket - Math.floor(START / HOUR), memoryCount])).toEqual([
      [0, 1],
      [48, 1],
      [50, 1],
      [29 * 24, 1],
    ]);
  });

  it("is purged after 30 days with the sums of its ten minutes, and those of its hour after a year", async () => {
    const { app, agent } = await setUp();
    const ages = [HOUR, 47 * HOUR, 50 * HOUR, 29 * DAY, 31 * DAY, 364 * DAY];
    await reportAges(app, ages, agent.report);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 6, tens: 6, hours: 6 });
    expect(await sweep(app)).toBe(1);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 4, tens: 4, hours: 6 });
    app.clock.set(START + 2 * DAY);
    await sweep(app);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 3, tens: 3, hours: 5 });
  });

  it("is kept for as long as the setting says", async () => {
    const app = await createTestApp({ env: { RETENTION_SAMPLE_DAYS: "3" } });
    const { bob } = await app.people();
    const agent = await enrollAgent(app, bob);
    await reportAges(app, [71 * HOUR, 74 * HOUR], agent.report);
    await sweep(app);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 1, tens: 2, hours: 2 });
  });
});

it("deleting an agent deletes its history, and no other agent's", async () => {
  const { app, bob, agent, other } = await setUp();
  const ages = [0, SECOND, HOUR, 40 * DAY, 364 * DAY];
  for (const { report } of [agent, other]) await reportAges(app, ages, report);
  const before = await countSamples(app, other.id);
  expect(before.samples).toBe(ages.length);
  const { status, body } = await app.as(bob).delete(`/api/agents/${agent.id}`);
  expect([status, body.success]).toEqual([200, true]);
  expect(await countSamples(app, agent.id)).toEqual(NOTHING);
  expect(await countSamples(app, other.id)).toEqual(before);
  expect((await app.as(bob).get(`/api/agents/${agent.id}`)).status).toBe(404);
  expect((await app.as(bob).delete(`/api/agents/${agent.id}`)).status).toBe(404);
  expect([await app.db.$count(agents), await app.db.$count(agentStates)]).toEqual([1, 1]);
});

it("deleting a user deletes their agents and refuses the keys of these", async () => {
  const { app, agent, other } = await setUp();
  await agent.report([sampleAt(START)]);
  await app.db.delete(users);
  expect([await app.db.$count(agents), await app.db.$count(agentStates)]).toEqual([0, 0]);
  for (const { report } of [agent, other]) expect((await report([sampleAt(START)])).status).toBe(401);
});
