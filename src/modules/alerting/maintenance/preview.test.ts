import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { addMonitor } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  return { app, bob, client: app.as(bob) };
};

describe("the list of windows", () => {
  it("names the monitors and servers of all windows once", async () => {
    const { app, bob, client } = await setUp();
    const shop = await addMonitor(app, bob, { name: "Shop", url: "https://shop.test/" });
    for (const minutes of [20, 30]) await client.post("/api/windows/start", { minutes, monitors: [shop] });
    const { targets } = (await client.get("/api/windows")).body;
    expect(targets).toEqual([{ type: "monitor", id: shop, name: "Shop" }]);
  });
});

describe("a preview", () => {
  it("lists the next occurrences of a schedule and saves nothing", async () => {
    const { client } = await setUp();
    const schedule = { kind: "weekly", days: [4], at: "13:00", minutes: 60, zone: "UTC" };
    const { body } = await client.post("/api/windows/preview", { schedule });
    expect(body.occurrences).toHaveLength(5);
    expect(body.occurrences[0]).toEqual({ from: "2026-01-15T13:00:00.000Z", to: "2026-01-15T14:00:00.000Z" });
    expect((await client.get("/api/windows")).body).toMatchObject({ windows: [], past: [] });
  });

  it("refuses a cron expression that never comes, at its field", async () => {
    const { client } = await setUp();
    const schedule = { kind: "cron", cron: "0 3 31 2 *", minutes: 60, zone: "UTC" };
    const { status, body } = await client.post("/api/windows/preview", { schedule });
    expect([status, body.errors]).toMatchObject([422, [{ path: "schedule.cron", code: "cron_never" }]]);
  });
});
