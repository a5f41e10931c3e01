import { expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { addMember } from "../../testing/fixtures/people";
import { publish } from "../../testing/fixtures/status-page";

it("the dashboard has the open incidents of the team that the viewer may write, newest first", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  await publish(app, bob, { title: "Acme" });
  const write = (title: string, more: object = {}) =>
    app.as(bob).post("/api/incidents", { title, body: "We are looking into it.", ...more });
  await write("Older", { started_at: "2026-01-01T00:00:00Z" });
  await write("Newer");
  await write("Over", { status: "resolved" });
  const read = async (user: typeof bob, query: "" | `?team=${number}` = "") =>
    (await app.as(user).get(`/api/dashboard${query}`)).body.incidents.map(({ title }) => title);
  expect(await read(bob)).toEqual(["Newer", "Older"]);
  // An administrator's dashboard is about the incidents of their own team, as the screen of incidents is.
  expect(await read(alice)).toEqual([]);
  expect(await read(charlie)).toEqual([]);
  for (const [role, seen] of [
    ["editor", ["Newer", "Older"]],
    ["viewer", []],
  ] as const)
    expect(await read(await addMember(app, bob.teamId, role), `?team=${bob.teamId}`)).toEqual([...seen]);
});
