import { expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { markOfflineServers } from "../servers/ingest/offline";

it("the dashboard counts the viewer's agents, and shows three in the form of the list, offline ones first", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const agents = [];
  for (const name of ["a", "b", "c", "d", "e"]) agents.push(await enrollAgent(app, bob, { name }));
  await enrollAgent(app, charlie);
  await agents[0]?.report([sampleAt(START)]);
  app.clock.set(START + 3_600_000);
  await markOfflineServers(app.deps);
  for (const agent of agents.slice(1, 3)) await agent.report([sampleAt(START + 3_600_000, { cpu: 91 })]);
  const read = async (user: typeof alice) => JSON.parse((await app.as(user).get("/api/dashboard")).text);
  const own = await read(bob);
  expect(own.agents).toEqual({ active: 2, inactive: 1, connecting: 2, total: 5 });
  const all = (await app.as(bob).get("/api/agents")).body.agents;
  expect(own.latest_agents).toEqual([0, 3, 4].map((index) => all[index]));
  expect(own.latest_agents.map(({ cpu_usage }: { cpu_usage: number }) => cpu_usage)).toEqual([12.5, null, null]);
  await agents[0]?.report([sampleAt(START + 3_600_000)]);
  for (const agent of agents.slice(3)) await agent.report([sampleAt(START + 3_600_000)]);
  expect((await read(bob)).latest_agents.map(({ name }: { name: string }) => name)).toEqual(["a", "b", "c"]);
  expect((await read(alice)).agents.total).toBe(6);
  expect((await read(charlie)).agents).toEqual({ active: 0, inactive: 0, connecting: 1, total: 1 });
});
