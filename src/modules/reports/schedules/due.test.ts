import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { madeBy, viewerOf } from "../../../db/owner";
import { agents, deliveries, events, reportSchedules } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import type { TestApp } from "../../../testing/app";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addChannel, createAlertApp, telegramChannel } from "../../../testing/fixtures/alerts";
import { sessionOf } from "../../../testing/fixtures/forged-sessions";
import { addMonitor } from "../../../testing/fixtures/monitors";
import type { TestUser } from "../../../testing/fixtures/people";
import { deleteMonitor } from "../../monitors/change";
import { findMonitor } from "../../monitors/service";
import { sendDueReports } from "./due";

/** The 1st of February at 08:00 in Berlin. */
const DUE = Date.parse("2026-02-01T07:00:00Z");

const create = async (app: TestApp, owner: TestUser, body: object) => {
  const answer = await app.as(owner).post("/api/reports/schedules", { zone: "Europe/Berlin", hour: 8, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.schedule;
};

const setUp = async (body: object = {}) => {
  const { app, bob } = await createAlertApp();
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const [chat, phone] = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("phone"))];
  const schedule = await create(app, bob, { every: "month", channels: [chat, phone], ...body });
  /** The periods of the reports so far, after the clock is set. */
  const sentAt = async (time: number | string) => {
    app.clock.set(typeof time === "string" ? Date.parse(time) : time);
    // The earlier one has expired.
    bob.token = await sessionOf(app, bob);
    await sendDueReports(app.deps);
    const rows = await app.db.select().from(events).where(eq(events.kind, "report")).orderBy(events.id);
    return rows.map(({ facts }) => facts?.report?.from.slice(0, 10));
  };
  const read = async () => (await app.as(bob).get("/api/reports/schedules")).body.schedules[0];
  return { app, bob, shop, chat, phone, schedule, sentAt, read };
};

describe("a report that is due", () => {
  it("is sent once at its hour, about the month before, to each of its channels", async () => {
    const { app, schedule, sentAt, read } = await setUp();
    expect(schedule.next_at).toBe("2026-02-01T07:00:00.000Z");
    expect(await sentAt(DUE - 1)).toEqual([]);
    expect(await sentAt(DUE + 30_000)).toEqual(["2025-12-31"]);
    expect(await sentAt(DUE + MINUTE)).toEqual(["2025-12-31"]);
    const rows = await app.db.select().from(deliveries).orderBy(deliveries.id);
    expect(rows.map(({ channelName, state, groupSeconds }) => [channelName, state, groupSeconds])).toEqual([
      ["chat", "pending", 0],
      ["phone", "pending", 0],
    ]);
    expect(await read()).toMatchObject({
      next_at: "2026-03-01T07:00:00.000Z",
      last: { at: "2026-02-01T07:00:00.000Z", from: "2025-12-31T23:00:00.000Z", to: "2026-01-31T23:00:00.000Z" },
    });
    expect(await sentAt("2026-03-01T07:00:00Z")).toEqual(["2025-12-31", "2026-01-31"]);
  });

  it("is sent each Monday about the week before", async () => {
    const { sentAt } = await setUp({ every: "week" });
    expect(await sentAt("2026-01-19T06:59:00Z")).toEqual([]);
    expect(await sentAt("2026-01-19T07:00:00Z")).toEqual(["2026-01-11"]);
    expect(await sentAt("2026-01-26T07:00:00Z")).toEqual(["2026-01-11", "2026-01-18"]);
  });

  it("is sent once by several instances", async () => {
    const { app, sentAt } = await setUp();
    app.clock.set(DUE);
    await Promise.all([1, 2, 3].map(() => sendDueReports(app.deps)));
    expect(await sentAt(DUE)).toHaveLength(1);
  });

  it("is sent late after a time in which the hub was off, the last one only, and not more than three days late", async () => {
    const { sentAt } = await setUp();
    expect(await sentAt(DUE + 3 * DAY - MINUTE)).toEqual(["2025-12-31"]);
    const { sentAt: later, read } = await setUp();
    expect(await later(DUE + 3 * DAY)).toEqual([]);
    expect(await read()).toMatchObject({ next_at: "2026-03-01T07:00:00.000Z", last: null });
    const { sentAt: muchLater } = await setUp();
    expect(await muchLater("2026-05-02T07:00:00Z")).toEqual(["2026-03-31"]);
  });

  it("is not sent again for a period, when the clock is set back or its hour is changed", async () => {
    const { app, bob, chat, schedule, sentAt, read } = await setUp();
    expect(await sentAt(DUE)).toHaveLength(1);
    expect(await sentAt(DUE - DAY)).toHaveLength(1);
    expect(await sentAt(DUE)).toHaveLength(1);
    const changed = { every: "month", hour: 20, zone: "Asia/Shanghai", channels: [chat] };
    await app.as(bob).put(`/api/reports/schedules/${schedule.id}`, changed);
    expect((await read())?.next_at).toBe("2026-03-01T12:00:00.000Z");
    expect(await sentAt("2026-02-01T12:00:00Z")).toHaveLength(1);
    expect(await sentAt("2026-03-01T12:00:00Z")).toHaveLength(2);
  });

  it("is sent again in time after the clock had been years ahead", async () => {
    const { sentAt, read } = await setUp();
    expect(await sentAt("2031-02-01T07:00:00Z")).toEqual(["2030-12-31"]);
    expect(await sentAt(DUE - HOUR)).toHaveLength(1);
    expect((await read())?.next_at).toBe("2026-02-01T07:00:00.000Z");
    expect(await sentAt(DUE)).toEqual(["2030-12-31", "2025-12-31"]);
  });

  it("skips channels that were deleted or are off, and is not sent without any", async () => {
    const { app, bob, chat, phone, sentAt, read } = await setUp();
    await app.as(bob).delete(`/api/notifications/channels/${chat}`);
    expect(await sentAt(DUE)).toHaveLength(1);
    expect((await app.db.select().from(deliveries)).map(({ channelName }) => channelName)).toEqual(["phone"]);
    expect(await read()).toMatchObject({ problem: null, channels: [{ name: "phone", enabled: true }] });
    await app.as(bob).put(`/api/notifications/channels/${phone}`, { ...telegramChannel("phone"), enabled: false });
    expect(await read()).toMatchObject({ problem: "no_channel", channels: [{ name: "phone", enabled: false }] });
    expect(await sentAt("2026-03-01T07:00:00Z")).toHaveLength(1);
    expect((await read())?.next_at).toBe("2026-04-01T06:00:00.000Z");
  });

  it("about a deleted monitor or server is not sent", async () => {
    const { app, bob, shop, chat, sentAt } = await setUp();
    await app.db.delete(reportSchedules);
    const server = await enrollAgent(app, bob);
    for (const scope of [`monitor:${shop}`, `agent:${server.id}`])
      await create(app, bob, { every: "month", channels: [chat], scope });
    await deleteMonitor(app.deps, await findMonitor(app.deps, viewerOf(madeBy(bob)), shop));
    await app.db.delete(agents);
    expect(await sentAt(DUE)).toEqual([]);
    const { schedules } = (await app.as(bob).get("/api/reports/schedules")).body;
    expect(schedules.map(({ problem }) => problem)).toEqual(["target_deleted", "target_deleted"]);
  });

  it("is sent of each of many schedules", async () => {
    const { app, bob, sentAt } = await setUp();
    const [row] = await app.db.select().from(reportSchedules);
    const { id: _, ...columns } = row as typeof reportSchedules.$inferSelect;
    await app.db.insert(reportSchedules).values(Array.from({ length: 149 }, () => ({ ...columns, ...madeBy(bob) })));
    expect(await sentAt(DUE)).toHaveLength(100);
    expect(await sentAt(DUE + MINUTE)).toHaveLength(150);
  });
});
