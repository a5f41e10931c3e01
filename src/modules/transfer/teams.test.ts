import { expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { enrollAgent } from "../../testing/fixtures/agents";
import { withoutIds } from "../../testing/fixtures/imports/exported";
import type { TestUser } from "../../testing/fixtures/people";
import { createWorld, NOWHERE } from "../../testing/fixtures/seed-everything";

it("an editor exports one of their teams and imports it into another one, which then has the same", async () => {
  const app = await createTestApp();
  const { bob, editor } = await createWorld(app);
  const client = app.as(editor);
  const { team: copy } = (await client.post("/api/teams", { name: "Copy" })).body;
  // Servers are not imported; their settings apply to a server with the same host name.
  const { token } = (await client.post(`/api/agents/token/generate?team=${copy.id}`)).body;
  await enrollAgent(app, editor, { token, machine_id: "another", hostname: "db" });
  await client.post("/api/monitors", { name: "own", url: NOWHERE, interval: 60, active: false });
  const exportOf = async (teamId: number, user: TestUser = editor) =>
    JSON.parse((await app.as(user).get(`/api/export?team=${teamId}`)).text);
  const importInto = async (teamId: number, file: object) =>
    JSON.parse((await client.post(`/api/import?team=${teamId}`, file)).text);

  const file = await exportOf(bob.teamId);
  expect(file).toEqual(await exportOf(bob.teamId, bob));
  const { created } = await importInto(copy.id, file);
  const copied = await exportOf(copy.id);
  // Channels are imported without their secrets, and switched off.
  const channels = file.channels.map((channel: object) => ({ ...channel, enabled: false }));
  expect(withoutIds(copied)).toEqual(withoutIds({ ...file, channels }));
  expect(created).toMatchObject({ monitors: file.monitors.length, channels: 1, policies: 1, templates: 1 });

  const again = await importInto(copy.id, file);
  expect([...new Set(Object.values(again.created))]).toEqual([0]);
  const own = await exportOf(editor.teamId);
  expect(own.monitors.map(({ name }: { name: string }) => name)).toEqual(["own"]);
  expect([own.channels, own.policies]).toEqual([[], []]);
});
