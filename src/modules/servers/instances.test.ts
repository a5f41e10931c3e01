import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { events } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, readAgentState, reportOf, sampleAt, sendReport } from "../../testing/fixtures/agents";
import { markOfflineAgents } from "./ingest/offline";

const [SECOND, HOUR] = [1000, 3_600_000];

/** Two instances on one database, and an agent of bob's. */
const setUp = async () => {
  const first = await createTestApp();
  const second = await createTestApp({ db: first.db, clock: first.clock });
  const { bob } = await first.people();
  const agents = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) agents.push(await enrollAgent(first, bob, { name }));
  const kindsOf = async (agentId: number) =>
    (await first.db.select().from(events).where(eq(events.targetId, agentId))).map(({ kind }) => kind);
  return { first, second, bob, agents, kindsOf };
};

it("an agent that reports to two instances at the same time causes one online event", async () => {
  const { first, second, agents, kindsOf } = await setUp();
  for (const { report } of agents) await report([sampleAt(START)]);
  first.clock.set(START + HOUR);
  await markOfflineAgents(first.deps);
  const report = (nth: number) => reportOf([sampleAt(START + HOUR + nth * SECOND)]);
  const answers = await Promise.all(
    agents.flatMap(({ key }) => [sendReport(first, key, report(0)), sendReport(second, key, report(1))]),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  for (const { id } of agents) {
    expect((await kindsOf(id)).toSorted()).toEqual(["offline", "online"]);
    expect((await readAgentState(first, id)).status).toBe("active");
  }
});

it("an agent that two instances find offline causes one event", async () => {
  const { first, second, agents, kindsOf } = await setUp();
  for (const { report } of agents) await report([sampleAt(START)]);
  first.clock.set(START + HOUR);
  await Promise.all([first, second, first, second].map(({ deps }) => markOfflineAgents(deps)));
  for (const { id } of agents) expect(await kindsOf(id)).toEqual(["offline"]);
});
