import { expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor, record } from "../../testing/fixtures/monitors";

it("the dashboard counts the viewer's monitors, and shows three: down, then pending, then up", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries()) {
    const id = await addMonitor(app, bob, { url: `https://${name}.example/`, name, active: name !== "a" });
    if (index < 4) await record(app, id, [{ at: START, up: index < 3 }]);
  }
  await addMonitor(app, charlie, { url: "https://c.example/" });
  const read = async (user: typeof alice) => JSON.parse((await app.as(user).get("/api/dashboard")).text);
  const own = await read(bob);
  expect(own).toMatchObject({
    success: true,
    monitors: { up: 2, down: 1, pending: 1, paused: 1, total: 5 },
    agents: { active: 0, inactive: 0, connecting: 0, total: 0 },
    connectivity: null,
    unknown: null,
    conditions: [],
    latest_agents: [],
  });
  expect(own.latest_monitors.map(({ name }: { name: string }) => name)).toEqual(["d", "e", "b"]);
  expect((await read(alice)).monitors.total).toBe(6);
  expect((await read(charlie)).monitors).toEqual({
    up: 0,
    degraded: 0,
    down: 0,
    pending: 1,
    paused: 0,
    unknown: 0,
    total: 1,
  });
});
