import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { outages } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
} from "../../../../testing/fixtures/alerts";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { HUB } from "../../../accounts/audit/record";
import { planNext } from "../../delivery/plan/plan";
import { acknowledge } from "./service";

/** Bob's monitor is down, and his channel was notified. */
const setUp = async () => {
  const world = await createAlertApp();
  const { app, bob, delivery } = world;
  const channel = await addChannel(app, bob);
  const monitor = await addWatchedMonitor(app, bob, [channel]);
  await recordDown(app, monitor);
  await runDeliveries(app, delivery);
  const outage = async (target = monitor) =>
    (await app.as(bob).get(`/api/outages?target=monitor:${target}`)).body.outages[0];
  const id = (await outage())?.id ?? 0;
  const notices = async () => (await readDeliveries(app)).filter(({ purpose }) => purpose === "acknowledged");
  return { ...world, channel, monitor, id, outage, notices, path: `/api/outages/${id}/acknowledge` };
};

describe("acknowledging an outage", () => {
  it("names who, when, until when and why, in the list, the problems and the details", async () => {
    const { app, bob, path, monitor, outage } = await setUp();
    const until = isoTime(app.clock.now() + HOUR);
    const { status, body } = await app.as(bob).post(path, { until, note: " on it " });
    const expected = { by: "bob", link: null, at: isoTime(app.clock.now()), until, note: "on it" };
    expect([status, body.acknowledged]).toEqual([200, expected]);
    expect((await outage())?.acknowledged).toEqual(expected);
    expect((await app.as(bob).get("/api/dashboard")).body.problems[0]?.acknowledged).toEqual(expected);
    const { monitor: detail } = (await app.as(bob).get(`/api/monitors/${monitor}`)).body;
    expect(detail.outages[0]?.acknowledged).toEqual(expected);
  });

  it("ends at its time, and with a withdrawal", async () => {
    const { app, bob, path, outage } = await setUp();
    await app.as(bob).post(path, { until: isoTime(app.clock.now() + HOUR) });
    app.clock.set(app.clock.now() + HOUR);
    expect((await outage())?.acknowledged).toBeNull();
    await app.as(bob).post(path, {});
    expect((await outage())?.acknowledged).toMatchObject({ by: "bob", until: null });
    expect((await app.as(bob).delete(path)).status).toBe(200);
    expect((await outage())?.acknowledged).toBeNull();
    expect((await app.as(bob).delete(path)).status).toBe(200);
  });

  it("stays with an outage that ends before its time", async () => {
    const { app, bob, path, outage, monitor } = await setUp();
    await app.as(bob).post(path, { until: isoTime(app.clock.now() + HOUR) });
    app.clock.set(app.clock.now() + MINUTE);
    await recover(app, monitor);
    app.clock.set(app.clock.now() + DAY);
    expect((await outage())?.acknowledged).toMatchObject({ by: "bob" });
  });

  it("is allowed for the outages of others to administrators only", async () => {
    const { app, alice, bob, charlie, path, outage } = await setUp();
    expect((await app.as(charlie).post(path, {})).status).toBe(404);
    expect((await app.as(charlie).delete(path)).status).toBe(404);
    expect((await app.as(alice).post(path, {})).status).toBe(200);
    expect((await outage())?.acknowledged?.by).toBe("alice");
    expect((await app.as(bob).post("/api/outages/999/acknowledge", {})).status).toBe(404);
  });

  it("refuses an outage that has ended with 409", async () => {
    const { app, bob, path, monitor } = await setUp();
    app.clock.set(app.clock.now() + MINUTE);
    await recover(app, monitor);
    for (const answer of [await app.as(bob).post(path, {}), await app.as(bob).delete(path)])
      expect([answer.status, answer.body]).toMatchObject([409, { code: "outage_ended" }]);
  });

  it("refuses times in the past, far ahead or without a zone, and long notes", async () => {
    const { app, bob, path } = await setUp();
    const now = app.clock.now();
    for (const until of [isoTime(now), isoTime(now + 30 * DAY + 1000), "2026-01-15T12:00:00", "soon"])
      expect((await app.as(bob).post(path, { until })).status).toBe(422);
    expect((await app.as(bob).post(path, { note: "x".repeat(501) })).status).toBe(422);
    expect((await app.as(bob).post(path, { until: isoTime(now + 30 * DAY), note: "x".repeat(500) })).status).toBe(200);
  });
});

describe("channels that were notified of an outage", () => {
  it("get one line for each acknowledgement, at most 20", async () => {
    const { app, bob, path, notices, delivery, telegram } = await setUp();
    for (let turn = 0; turn < 25; turn++) {
      app.clock.set(app.clock.now() + 1000);
      await app.as(bob).post(path, { note: `number ${turn}` });
      await runDeliveries(app, delivery);
    }
    expect((await notices()).map(({ sequence, state }) => [sequence, state])).toEqual(
      Array.from({ length: 20 }, (_, sequence) => [sequence, "sent"]),
    );
    expect(telegram.messages.at(-1)?.text).toContain("number 19");
  });

  it("are those to which a message was sent: one that is not sent yet is withheld", async () => {
    const { app, bob, delivery, notices, telegram } = await setUp();
    const blog = await addMonitor(app, bob, { url: "https://blog.example/", name: "blog" });
    await recordDown(app, blog);
    await planNext(app.deps);
    const before = telegram.messages.length;
    const id = (await app.as(bob).get(`/api/outages?target=monitor:${blog}`)).body.outages[0]?.id;
    await app.as(bob).post(`/api/outages/${id}/acknowledge`, {});
    await runDeliveries(app, delivery);
    expect([await notices(), telegram.messages.length]).toEqual([[], before]);
    expect((await readDeliveries(app)).at(-1)).toMatchObject({ state: "withheld", errorCode: "acknowledged" });
  });

  it("get the message of a recovery that came while the outage was being acknowledged", async () => {
    const { app, id, monitor, delivery, notices, telegram } = await setUp();
    const [row] = await app.db.select().from(outages).where(eq(outages.id, id));
    app.clock.set(app.clock.now() + MINUTE);
    await recover(app, monitor);
    await planNext(app.deps);
    const change = { by: "bob", via: null, until: null, note: null, author: HUB };
    expect(row && (await acknowledge(app.deps, [row], change))).toBe(0);
    await runDeliveries(app, delivery);
    expect([telegram.messages.at(-1)?.text.split("\n")[0], await notices()]).toEqual(["🟢 shop 已恢复", []]);
  });

  it("get the alert again once when an acknowledgement is withdrawn, and not when it is over already", async () => {
    const { app, bob, path, delivery, telegram } = await setUp();
    const alerts = () => telegram.messages.filter(({ text }) => text.startsWith("🔴")).length;
    const withdraw = async () => {
      const answers = await Promise.all([app.as(bob).delete(path), app.as(bob).delete(path)]);
      await runDeliveries(app, delivery);
      return [...answers.map(({ status }) => status), alerts()];
    };
    await app.as(bob).post(path, {});
    expect(await withdraw()).toEqual([200, 200, 2]);
    await app.as(bob).post(path, { until: isoTime(app.clock.now() + MINUTE) });
    await runDeliveries(app, delivery);
    app.clock.set(app.clock.now() + MINUTE);
    await runDeliveries(app, delivery);
    expect(alerts()).toBe(3);
    expect(await withdraw()).toEqual([200, 200, 3]);
  });

  it("get nothing of an acknowledgement that was withdrawn before it was sent", async () => {
    const { app, bob, path, notices, delivery } = await setUp();
    await app.as(bob).post(path, {});
    await app.as(bob).delete(path);
    await runDeliveries(app, delivery);
    expect((await notices()).map(({ state, errorCode }) => [state, errorCode])).toEqual([["withheld", "superseded"]]);
  });
});
