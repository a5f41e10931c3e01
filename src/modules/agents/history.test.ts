import { describe, expect, it } from "bun:test";
import { agentStates, agents, sampleHours, samples, sampleTens, users } from "../../db/schema";
import { countSamples, enrolAgent, sampleAt } from "../../testing/agents";
import { createTestApp, type TestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { sweepSamples } from "./service";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const NOTHING = { samples: 0, tens: 0, hours: 0 };

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  return { app, bob, agent: await enrolAgent(app, bob), other: await enrolAgent(app, bob) };
};

const sweep = async ({ deps }: TestApp): Promise<number> => {
  let rounds = 1;
  while (await sweepSamples(deps)) rounds++;
  return rounds;
};

describe("what is old", () => {
  it("goes: samples after 48 hours, sums of ten minutes after 30 days, of hours after a year", async () => {
    const { app, agent } = await setUp();
    const ages = [HOUR, 47 * HOUR, 50 * HOUR, 29 * DAY, 31 * DAY, 364 * DAY];
    await agent.report(ages.map((age) => sampleAt(START - age)));
    expect(await countSamples(app, agent.id)).toEqual({ samples: 6, tens: 6, hours: 6 });
    expect(await sweep(app)).toBe(1);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 2, tens: 4, hours: 6 });
    app.clock.set(START + 2 * DAY);
    await sweep(app);
    expect(await countSamples(app, agent.id)).toEqual({ samples: 0, tens: 3, hours: 5 });
  });

  it("goes a little at a time, and says when there is more", async () => {
    const { app, agent } = await setUp();
    const rows = Array.from({ length: 5001 }, (_, index) => ({
      hour: 1000 + (index % 7),
      agentId: agent.id,
      at: index,
    }));
    for (let start = 0; start < rows.length; start += 1000)
      await app.db.insert(samples).values(rows.slice(start, start + 1000));
    expect(await sweep(app)).toBe(2);
    expect(await app.db.$count(samples)).toBe(0);
  });
});

it("an agent that is deleted takes all of its history with it, and nobody else's", async () => {
  const { app, bob, agent, other } = await setUp();
  const ages = [-4 * MINUTE, 0, SECOND, HOUR, 40 * DAY, 364 * DAY];
  for (const { report } of [agent, other]) await report(ages.map((age) => sampleAt(START - age)));
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

it("an agent that is deleted while it reports leaves nothing behind", async () => {
  const { app, bob, agent } = await setUp();
  const second = await createTestApp({ db: app.db, clock: app.clock });
  for (let round = 0; round < 8; round++) {
    const doomed = await enrolAgent(second, bob);
    const reports = Array.from({ length: 4 }, (_, index) =>
      doomed.report([sampleAt(START + (round * 10 + index) * SECOND)], { hostname: `host-${index}` }),
    );
    await Bun.sleep(round * 3);
    const [deleted, ...answers] = await Promise.all([app.as(bob).delete(`/api/agents/${doomed.id}`), ...reports]);
    expect(deleted?.status).toBe(200);
    for (const { status } of answers) expect([200, 401]).toContain(status);
    expect(await countSamples(app, doomed.id)).toEqual(NOTHING);
  }
  await agent.report([sampleAt(START)]);
  expect([await app.db.$count(samples), await app.db.$count(sampleTens), await app.db.$count(sampleHours)]).toEqual([
    1, 1, 1,
  ]);
});

it("a user that is deleted takes their agents along, and their keys are dead", async () => {
  const { app, agent, other } = await setUp();
  await agent.report([sampleAt(START)]);
  await app.db.delete(users);
  expect([await app.db.$count(agents), await app.db.$count(agentStates)]).toEqual([0, 0]);
  for (const { report } of [agent, other]) expect((await report([sampleAt(START)])).status).toBe(401);
});
