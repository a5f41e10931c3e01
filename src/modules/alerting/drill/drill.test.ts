import { describe, expect, it } from "bun:test";
import { and, eq } from "drizzle-orm";
import { madeBy } from "../../../db/owner";
import { alertPolicies, notificationRules, outages } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { enrollAgent } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readEvents,
  recordDown,
  resendChannel,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const hub = await createAlertApp();
  const { app, bob } = hub;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const [chat, mail] = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
  const shop = await addWatchedMonitor(app, bob, [chat]);
  const drill = (id = shop, reader = bob) => app.as(reader).post(`/api/monitors/${id}/drill`);
  const preview = async (id = shop) => (await app.as(bob).get(`/api/monitors/${id}/drill`)).body;
  const run = () => runDeliveries(app, hub.delivery);
  return { ...hub, chat, mail, shop, drill, preview, run };
};

/** Gives the rule for all of bob's monitors a policy with a second step and reminders. */
const escalate = async ({ app, bob, chat, mail }: Awaited<ReturnType<typeof setUp>>) => {
  const [policy] = await app.db
    .insert(alertPolicies)
    .values({
      ...madeBy(bob),
      name: "Night",
      steps: [
        { afterMinutes: 0, channels: [chat] },
        { afterMinutes: 15, channels: [mail] },
      ],
      repeatMinutes: 30,
      repeatMax: 0,
      quiet: { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "00:00", timeZone: "UTC", mode: "drop" },
      groupSeconds: 60,
      createdAt: 0,
      updatedAt: 0,
    })
    .returning();
  const all = and(eq(notificationRules.userId, bob.id), eq(notificationRules.targetId, 0));
  await app.db
    .update(notificationRules)
    .set({ policyId: policy?.id ?? 0 })
    .where(all);
};

describe("a drill", () => {
  it("sends the alert and the recovery at once, marked in the reader's language, and names its events", async () => {
    const { app, bob, drill, run, telegram } = await setUp();
    await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
    const { status, body } = await drill();
    expect([status, body.events]).toEqual([200, [1, 2]]);
    await run();
    expect(telegram.messages.map(({ text }) => text.split("\n").slice(0, 2))).toEqual([
      ["【演练】🔴 shop 无法访问", "这是一次演练，没有发生故障。"],
      ["【演练】🟢 shop 已恢复", "这是一次演练，没有发生故障。"],
    ]);
    const { events } = (await app.as(bob).get("/api/notifications/history")).body;
    expect(events).toMatchObject([
      { id: 2, kind: "recovery", drill: true, outage_id: null, deliveries: [{ state: "sent" }] },
      { id: 1, kind: "down", drill: true, outage_id: null, deliveries: [{ state: "sent" }] },
    ]);
  });

  it("of a server plays that it is offline and reports again", async () => {
    const { app, bob, chat, run, telegram } = await setUp();
    const agent = await enrollAgent(app, bob);
    await saveRule(app, bob, { target_type: "global-agent", channels: [chat] });
    expect((await app.as(bob).post(`/api/agents/${agent.id}/drill`)).status).toBe(200);
    await run();
    expect(telegram.messages.map(({ text }) => text.split("\n")[0])).toEqual([
      "[Drill] 🔴 Server db-1 is offline",
      "[Drill] 🟢 Server db-1 reports again",
    ]);
    expect((await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent.status).toBe("connecting");
  });

  it("shows beforehand what it sends to whom, in order, and sends that, whatever the hour and the mute", async () => {
    const world = await setUp();
    const { app, bob, shop, drill, preview, run, telegram, resend } = world;
    await escalate(world);
    const [chat, mail] = [
      { name: "chat", type: "telegram" },
      { name: "mail", type: "resend" },
    ];
    const messages = [
      { kind: "begin", after_minutes: 0, channels: [chat] },
      { kind: "step", after_minutes: 15, channels: [mail] },
      { kind: "reminder", after_minutes: 30, channels: [chat, mail] },
      { kind: "end", after_minutes: null, channels: [chat, mail] },
    ];
    expect(await preview()).toMatchObject({ problem: null, messages });
    await app.as(bob).post(`/api/monitors/${shop}/mute`, {});
    expect((await drill()).body).toMatchObject({ messages });
    await run();
    const sent = (await readDeliveries(app)).map(({ channelName, purpose, sequence, state }) =>
      [channelName, purpose, sequence, state].join(" "),
    );
    expect(sent).toEqual([
      "chat alert 0 sent",
      "mail alert 1 sent",
      "chat reminder 1 sent",
      "mail reminder 1 sent",
      "chat alert 0 sent",
      "mail alert 0 sent",
    ]);
    expect([telegram.messages.length, resend.mails.length]).toEqual([3, 3]);
    expect(telegram.messages.every(({ text }) => text.startsWith("[Drill] "))).toBe(true);
    expect((await app.as(bob).get(`/api/monitors/${shop}`)).body.monitor.muted).not.toBeNull();
  });

  it("changes nothing but the history of notifications", async () => {
    const { app, bob, shop, drill, run } = await setUp();
    const read = async () => {
      const { monitor } = (await app.as(bob).get(`/api/monitors/${shop}`)).body;
      const { events: _, ...dashboard } = (await app.as(bob).get("/api/dashboard")).body;
      return JSON.stringify({ monitor, dashboard });
    };
    const before = await read();
    await drill();
    await run();
    expect(await read()).toBe(before);
    expect(await app.db.$count(outages)).toBe(0);
    const { events } = (await app.as(bob).get("/api/dashboard")).body;
    expect(events).toMatchObject([{ drill: true, target_id: shop, notified: ["chat"] }]);
  });

  it("does not take the place of a change at the same time, nor become a part of its outage", async () => {
    const { app, bob, shop, drill, run } = await setUp();
    await drill();
    await recordDown(app, shop);
    await run();
    const events = await readEvents(app);
    expect(events.map(({ kind, drill, outageId }) => [kind, drill, outageId])).toEqual([
      ["down", true, null],
      ["recovery", true, null],
      ["down", false, 1],
    ]);
    const { timeline } = (await app.as(bob).get("/api/outages/1")).body;
    expect(timeline.filter(({ kind }) => kind === "message")).toMatchObject([{ message: { event: { id: 3 } } }]);
    const entries = (await app.as(bob).get("/api/dashboard")).body.events;
    expect(entries.map(({ drill, state }) => [drill, state])).toEqual([
      [false, "begun"],
      [true, "ended"],
    ]);
  });

  it("does not decide what is sent when a mute ends", async () => {
    const { app, bob, shop, drill, run, telegram } = await setUp();
    await app.as(bob).post(`/api/monitors/${shop}/mute`, { minutes: 5 });
    await recordDown(app, shop);
    await run();
    await drill();
    await run();
    telegram.messages.length = 0;
    await app.clock.advance(6 * MINUTE);
    await run();
    expect(telegram.messages.map(({ text }) => text.split("\n")[0])).toEqual(["🔴 shop is down"]);
  });

  it("is refused where it would send nothing, and says why beforehand", async () => {
    const { app, bob, chat, shop, drill, preview } = await setUp();
    const refuse = async (setting: object, code: "alerts_off" | "no_recipients") => {
      await saveRule(app, bob, { target_type: "global-monitor", channels: [chat], on_down: true, ...setting });
      const { status, body } = await drill();
      expect([status, body.code, (await preview()).problem]).toEqual([409, code, code]);
    };
    await refuse({ enabled: false }, "alerts_off");
    await refuse({ on_down: false, on_recovery: false }, "alerts_off");
    await refuse({ channels: [], on_recovery: true }, "no_recipients");
    await app
      .as(bob)
      .put(`/api/notifications/channels/${chat}`, { name: "chat", type: "telegram", enabled: false, config: {} });
    await app.as(bob).delete(`/api/notifications/channels/${chat}`);
    await saveRule(app, bob, { target_type: "global-monitor" });
    expect((await drill(shop)).body.code).toBe("no_recipients");
    expect(await readEvents(app)).toEqual([]);
  });

  it("is limited to one a minute for each target, also when two are asked for at once", async () => {
    const { app, bob, drill } = await setUp();
    const other = await addMonitor(app, bob, { url: "https://shop.example/", name: "other" });
    const answers = await Promise.all([drill(), drill()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect((await drill(other)).status).toBe(200);
    app.clock.set(app.clock.now() + 59_000);
    const refused = await drill();
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
    app.clock.set(app.clock.now() + 1000);
    expect((await drill()).status).toBe(200);
    expect((await readEvents(app)).length).toBe(6);
  });

  it("is for the owner of the target, whose channels it uses", async () => {
    const { alice, charlie, drill, shop } = await setUp();
    for (const other of [alice, charlie]) expect((await drill(shop, other)).status).toBe(404);
    expect((await drill(shop + 1)).status).toBe(404);
  });
});
