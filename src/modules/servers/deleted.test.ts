import { expect, it } from "bun:test";
import { agentStates, agents, deletedAgents } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { purgeDeletedServers } from "./ingest/report-keys";

const [MINUTE, DAY] = [60_000, 86_400_000];

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const agent = await enrollAgent(app, people.bob);
  const report = async () => {
    const { status, body } = await agent.report([sampleAt(app.clock.now())]);
    return [status, body.code ?? ""];
  };
  return { app, ...people, agent, report };
};

it("an agent whose server was deleted is answered agent_deleted for 90 days", async () => {
  const { app, bob, agent, report } = await setUp();
  expect(await report()).toEqual([200, ""]);
  await app.as(bob).delete(`/api/agents/${agent.id}`);
  expect(await report()).toEqual([401, "agent_deleted"]);
  app.clock.set(START + 90 * DAY);
  await purgeDeletedServers(app.deps);
  expect(await report()).toEqual([401, "agent_deleted"]);
  app.clock.set(START + 90 * DAY + MINUTE);
  await purgeDeletedServers(app.deps);
  expect(await report()).toEqual([401, "unauthorized"]);
  expect(await app.db.$count(deletedAgents)).toBe(0);
});

it("the agents of a deleted user are answered agent_deleted", async () => {
  const { app, alice, bob, report } = await setUp();
  expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
  expect(await report()).toEqual([401, "agent_deleted"]);
});

it("an agent is not answered agent_deleted while the database is empty, and its reports are accepted after a restore", async () => {
  const { app, report } = await setUp();
  const rows = { agents: await app.db.select().from(agents), states: await app.db.select().from(agentStates) };
  await app.db.delete(agents);
  expect(await report()).toEqual([401, "unauthorized"]);
  app.clock.set(START + MINUTE);
  await app.db.insert(agents).values(rows.agents);
  await app.db.insert(agentStates).values(rows.states);
  expect(await report()).toEqual([200, ""]);
});
