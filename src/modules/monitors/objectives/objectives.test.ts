import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { objectives, outages } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { MAX_OBJECTIVES } from "../../../shared/outages/objectives";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const id = await addMonitor(app, bob, {
    url: "https://shop.example/",
    tags: [
      { name: "eu", value: "" },
      { name: "shop", value: "" },
    ],
  });
  const [eu, shop] = (await app.as(bob).get("/api/tags")).body.tags as unknown as [{ id: number }, { id: number }];
  await recordOnly(app, id, [{ at: START - 40 * DAY, up: true, error: null }]);
  /** An outage that ended `before` ms ago, or is still open. */
  const down = (length: number, before: number | null = 2 * DAY) => {
    const end = app.clock.now() - (before ?? 0);
    return app.db.insert(outages).values({
      ...{ ...madeBy(bob), targetType: "monitor", targetId: id, kind: "down" },
      ...{ startedAt: end - length, endedAt: before === null ? null : end },
    });
  };
  const set = (body: object, path = `/api/monitors/${id}/objective`) => app.as(bob).put(path, body);
  const read = async () => (await app.as(bob).get(`/api/monitors/${id}/objective`)).body.objective;
  return { app, alice, bob, charlie, id, eu, shop, down, set, read };
};

describe("an objective", () => {
  it("has the budget of its period, and how much of it is used and how fast", async () => {
    const { down, set, read } = await setUp();
    expect(await read()).toBeNull();
    await down(30 * MINUTE);
    expect((await set({ target: 99.9, period: "30d" })).status).toBe(200);
    expect(await read()).toEqual({
      ...{ target: 99.9, period: "30d", alerts: true, tag: null, zone: "UTC" },
      ...{ budget_seconds: 2592, down_seconds: 1800, left_seconds: 792 },
      ...{ burn_rate_1h: 0, burn_rate_6h: 0, state: "met" },
    });
    await down(10 * MINUTE, null);
    expect(await read()).toMatchObject({ left_seconds: 192, burn_rate_1h: 166.67, state: "burning" });
    await set({ target: 99.95, period: "30d" });
    expect(await read()).toMatchObject({ budget_seconds: 1296, left_seconds: -1104, state: "missed" });
  });

  it("counts the calendar month in the zone of the owner", async () => {
    const { app, bob, down, set, read } = await setUp();
    await app.as(bob).put("/api/auth/time-zone", { time_zone: "Asia/Shanghai" });
    // January begins there at 16:00 UTC of 31 December, half an hour after this outage began.
    const since = START - Date.parse("2025-12-31T15:30:00Z");
    await down(HOUR, since - HOUR);
    await set({ target: 99, period: "month" });
    expect(await read()).toMatchObject({ zone: "Asia/Shanghai", budget_seconds: 26_784, down_seconds: 1800 });
  });

  it("of the monitor counts before those of its tags, and of these the highest", async () => {
    const { app, bob, id, eu, shop, set, read } = await setUp();
    await set({ target: 99.5, period: "30d" }, `/api/tags/${eu.id}/objective`);
    await set({ target: 99.9, period: "7d" }, `/api/tags/${shop.id}/objective`);
    expect(await read()).toMatchObject({ target: 99.9, period: "7d", tag: { name: "shop" } });
    await set({ target: 95, period: "28d", alerts: false });
    expect(await read()).toMatchObject({ target: 95, alerts: false, tag: null });
    const { body } = await app.as(bob).get("/api/objectives");
    expect(body.objectives.map(({ monitor, tag, target }) => [monitor?.id ?? tag?.name, target])).toEqual([
      ["eu", 99.5],
      ["shop", 99.9],
      [id, 95],
    ]);
    await app.as(bob).delete(`/api/monitors/${id}/objective`);
    expect(await read()).toMatchObject({ target: 99.9 });
    await app.as(bob).delete(`/api/tags/${shop.id}/objective`);
    expect(await read()).toMatchObject({ target: 99.5 });
    await app.as(bob).delete(`/api/tags/${eu.id}`);
    expect(await read()).toBeNull();
  });

  it("that an administrator sets for a monitor of another user belongs to that user", async () => {
    const { app, alice, bob, id, read } = await setUp();
    await app.as(alice).put(`/api/monitors/${id}/objective`, { target: 99, period: "quarter" });
    expect((await app.as(bob).get("/api/objectives")).body.objectives).toHaveLength(1);
    expect((await app.as(alice).get("/api/objectives")).body.objectives).toEqual([]);
    expect(await read()).toMatchObject({ period: "quarter" });
  });

  const wrong: [string, object, string][] = [
    [
      "100 percent",
      { target: 100, period: "30d" },
      "target: expected an uptime from 90 to 99.999 percent; 100 would allow no downtime at all",
    ],
    ["an uptime below 90 percent", { target: 89.9, period: "30d" }, "target: expected an uptime from 90 to 99.999"],
    ["text for the uptime", { target: "high", period: "30d" }, "target: expected an uptime from 90 to 99.999"],
    ["an unknown period", { target: 99, period: "1y" }, "period: expected"],
    ["no period", { target: 99 }, "period: is missing"],
  ];
  it.each(wrong)("is not set with %s", async (_, body, message) => {
    const { set, read } = await setUp();
    const answer = await set(body);
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)]);
    expect(await read()).toBeNull();
  });

  it("is stored with three decimals", async () => {
    const { set, read } = await setUp();
    await set({ target: 99.9949, period: "30d" });
    expect(await read()).toMatchObject({ target: 99.995 });
  });

  it("of a monitor or tag of another user is neither set nor read", async () => {
    const { app, charlie, id, eu } = await setUp();
    const body = { target: 99, period: "30d" };
    const call = app.as(charlie);
    expect((await call.put(`/api/monitors/${id}/objective`, body)).status).toBe(404);
    expect((await call.get(`/api/monitors/${id}/objective`)).status).toBe(404);
    expect((await call.put(`/api/tags/${eu.id}/objective`, body)).status).toBe(404);
    expect((await call.delete(`/api/tags/${eu.id}/objective`)).status).toBe(404);
  });

  it("is refused beyond the most of a user, and still replaced then", async () => {
    const { app, bob, eu, set } = await setUp();
    const fill = { ...madeBy(bob), monitorId: null, target: 99, period: "30d" as const, alerts: false };
    await set({ target: 99, period: "30d" });
    for (let left = MAX_OBJECTIVES - 1; left > 0; left -= 100)
      await app.db
        .insert(objectives)
        .values(Array.from({ length: Math.min(left, 100) }, () => ({ ...fill, tagId: null })));
    expect((await set({ target: 99, period: "30d" }, `/api/tags/${eu.id}/objective`)).body).toMatchObject({
      code: "too_many_objectives",
    });
    expect((await set({ target: 98, period: "7d" })).status).toBe(200);
  });

  it("is exported and imported with its monitor or tag", async () => {
    const { app, bob, charlie, eu, set } = await setUp();
    await set({ target: 99.9, period: "30d" });
    await set({ target: 99, period: "month", alerts: false }, `/api/tags/${eu.id}/objective`);
    const file = (await app.as(bob).get("/api/export")).body;
    await app.as(charlie).post("/api/import", file);
    const { body } = await app.as(charlie).get("/api/objectives");
    expect(
      body.objectives.map(({ monitor, tag, target, period, alerts }) => [
        monitor?.name ?? tag?.name,
        target,
        period,
        alerts,
      ]),
    ).toEqual([
      ["shop", 99.9, "30d", true],
      ["eu", 99, "month", false],
    ]);
    await app.as(charlie).post("/api/import", file);
    expect((await app.as(charlie).get("/api/objectives")).body.objectives).toHaveLength(2);
  });
});
