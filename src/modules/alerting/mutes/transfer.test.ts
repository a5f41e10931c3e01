import { expect, it } from "bun:test";
import { HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  for (const name of ["shop", "blog"]) {
    const id = await addMonitor(app, bob, { url: `https://${name}.example/`, name });
    await app.as(bob).post(`/api/monitors/${id}/mute`, { minutes: name === "shop" ? 30 : 90 });
  }
  const file = JSON.parse((await app.as(bob).get("/api/export")).text);
  return { app, bob, charlie, file };
};

it("an import mutes what is still muted, and keeps the mutes that are there", async () => {
  const { app, charlie, file } = await setUp();
  await app.clock.advance(HOUR);
  const { body } = await app.as(charlie).post("/api/import", file);
  expect([body.created, body.skipped]).toMatchObject([{ monitors: 2, mutes: 1 }, { mutes: 1 }]);
  const list = async () => (await app.as(charlie).get("/api/monitors")).body.monitors;
  expect((await list()).map(({ name, muted }) => [name, muted !== null])).toEqual([
    ["shop", false],
    ["blog", true],
  ]);
  const blog = (await list())[1]?.id;
  await app.as(charlie).post(`/api/monitors/${blog}/mute`, {});
  expect((await app.as(charlie).post("/api/import", file)).body.created).toMatchObject({ mutes: 0 });
  expect((await list())[1]?.muted).toEqual({ until: null, until_recovery: false });
});

it("a file with a malformed mute, or of a monitor that is not in it, is refused", async () => {
  const { app, charlie, file } = await setUp();
  const [id] = Object.keys(file.mutes.monitors);
  for (const monitors of [{ [id as string]: { until: "soon" } }, { 99: { until: null } }, { [id as string]: 5 }]) {
    const { status, body } = await app.as(charlie).post("/api/import", { ...file, mutes: { monitors } });
    expect([monitors, status]).toEqual([monitors, 422]);
    expect(body.errors[0]?.path).toStartWith("mutes.monitors.");
  }
});

it("an import of two servers of a file that are the same server here stores one mute and one rule", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { id } = await enrollAgent(app, bob, { hostname: "db-1" });
  const agents = [7, 8].map((fileId) => ({ id: fileId, name: `copy ${fileId}`, hostname: "db-1" }));
  const mutes = { agents: { 7: { until: null }, 8: { until: null } } };
  const notifications = { specificAgents: { 7: { enabled: true }, 8: { enabled: true } } };
  const file = { format: "wakeful-configuration", version: 1, agents, notifications, mutes };
  const { status, body } = await app.as(bob).post("/api/import", file);
  expect([status, body.created]).toMatchObject([200, { mutes: 1, settings: 1 }]);
  const { text } = await app.as(bob).get("/api/export");
  expect(JSON.parse(text)).toMatchObject({ mutes: { agents: { [id]: { until: null } } } });
});
