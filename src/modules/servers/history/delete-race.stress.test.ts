import { expect, it } from "bun:test";
import { samplePacks } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { countSamples, enrollAgent, sampleAt } from "../../../testing/fixtures/agents";

const SECOND = 1000;
const NOTHING = { samples: 0, tens: 0, hours: 0 };

it("an agent that is deleted while it reports leaves no rows", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const second = await createTestApp({ db: app.db, clock: app.clock });
  for (let round = 0; round < 8; round++) {
    const doomed = await enrollAgent(second, bob);
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
  expect(await app.db.$count(samplePacks)).toBe(1);
});
