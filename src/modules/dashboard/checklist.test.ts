import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { monitors } from "../../db/schema";
import { DAY } from "../../shared/limits";
import { enrollAgent } from "../../testing/fixtures/agents";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../testing/fixtures/alerts";
import { addMonitor } from "../../testing/fixtures/monitors";
import type { TestUser } from "../../testing/fixtures/people";
import { publish } from "../../testing/fixtures/status-page";

const OPEN = { channel: false, rule: false, server: false, page: false, drill: null };

const createHub = async (options?: Parameters<typeof createAlertApp>[0]) => {
  const hub = await createAlertApp(options);
  const { app, bob } = hub;
  const read = async (user: TestUser = bob) => (await app.as(user).get("/api/dashboard")).body.checklist;
  const shop = () => addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const test = (id: number) => app.as(bob).post(`/api/notifications/channels/${id}/test`);
  return { ...hub, read, shop, test };
};

it("the checklist begins with the first monitor or server, with four open steps", async () => {
  const { app, bob, charlie, read, shop } = await createHub();
  expect(await read()).toBeNull();
  await shop();
  expect(await read()).toEqual(OPEN);
  await enrollAgent(app, charlie);
  expect(await read(charlie)).toEqual({ ...OPEN, server: true });
  expect((await app.as(bob).get("/api/dashboard")).body.monitors.total).toBe(1);
});

it("a channel counts once a provider took a test message, and while there is one that is on", async () => {
  let refuses = true;
  const { app, bob, read, shop, test } = await createHub({
    telegram: () => (refuses ? Response.json({ ok: false, description: "chat not found" }, { status: 400 }) : null),
  });
  await shop();
  const chat = await addChannel(app, bob);
  await test(chat);
  expect((await read())?.channel).toBe(false);
  refuses = false;
  expect((await test(chat)).status).toBe(200);
  expect((await read())?.channel).toBe(true);
  await app.as(bob).delete(`/api/notifications/channels/${chat}`);
  expect((await read())?.channel).toBe(false);
  const { type, config } = { type: "telegram", config: { botToken: `1:${"a".repeat(35)}`, chatId: "42" } };
  expect((await app.as(bob).post("/api/notifications/channels/test", { type, config })).status).toBe(200);
  expect((await read())?.channel).toBe(false);
  await addChannel(app, bob);
  expect((await read())?.channel).toBe(true);
});

it("a rule counts while it is on and has recipients, also that of one monitor", async () => {
  const { app, bob, read, shop } = await createHub();
  const id = await shop();
  const chat = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "global-monitor", channels: [] });
  expect((await read())?.rule).toBe(false);
  await saveRule(app, bob, { target_type: "global-monitor", channels: [chat] });
  expect((await read())?.rule).toBe(true);
  await saveRule(app, bob, { target_type: "global-monitor", channels: [chat], enabled: false });
  expect((await read())?.rule).toBe(false);
  await saveRule(app, bob, { target_type: "monitor", target_id: id, override_global: true, channels: [chat] });
  expect((await read())?.rule).toBe(true);
});

it("a page counts once it is saved with something on it", async () => {
  const { app, bob, read, shop } = await createHub();
  const id = await shop();
  await publish(app, bob, { monitors: [] });
  expect((await read())?.page).toBe(false);
  await publish(app, bob, { monitors: [id] });
  expect((await read())?.page).toBe(true);
});

it("a drill is offered once a channel is tested and a rule is on, until one was run; then all being done ends the checklist", async () => {
  const { app, bob, read, shop, test, delivery } = await createHub();
  const id = await shop();
  const chat = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "global-monitor", channels: [chat] });
  expect((await read())?.drill).toBeNull();
  await test(chat);
  expect((await read())?.drill).toEqual({ type: "monitor", id, name: "shop" });
  await enrollAgent(app, bob);
  await publish(app, bob, { monitors: [id] });
  expect(await read()).toMatchObject({ channel: true, rule: true, server: true, page: true, drill: { id } });
  expect((await app.as(bob).post(`/api/monitors/${id}/drill`)).status).toBe(200);
  await runDeliveries(app, delivery);
  expect(await read()).toBeNull();
});

it("a drill is offered of the monitor that has the only rule", async () => {
  const { app, bob, read, shop, test } = await createHub();
  await shop();
  const id = await addMonitor(app, bob, { url: "https://bank.example/", name: "bank" });
  const chat = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "monitor", target_id: id, override_global: true, channels: [chat] });
  await test(chat);
  expect((await read())?.drill).toEqual({ type: "monitor", id, name: "bank" });
});

it("a user hides the checklist for good, for themselves, and not with a key that only reads", async () => {
  const { app, bob, charlie, read, shop } = await createHub();
  await shop();
  await addMonitor(app, charlie, { url: "https://c.example/" });
  const { key } = (await app.as(bob).post("/api/keys", { name: "reader", scope: "read" })).body;
  expect((await app.as({ ...bob, token: key }).delete("/api/dashboard/checklist")).status).toBe(403);
  expect(await read()).toEqual(OPEN);
  for (let times = 0; times < 2; times++)
    expect((await app.as(bob).delete("/api/dashboard/checklist")).status).toBe(200);
  expect(await read()).toBeNull();
  expect(await read(charlie)).toEqual(OPEN);
});

it("it is not shown to users whose first monitor or server was added more than two weeks ago", async () => {
  const { app, bob, read, shop } = await createHub();
  const first = await shop();
  await shop();
  const setAge = async (age: number) =>
    app.db
      .update(monitors)
      .set({ createdAt: app.clock.now() - age })
      .where(eq(monitors.id, first));
  await setAge(14 * DAY);
  expect(await read()).toEqual(OPEN);
  await setAge(14 * DAY + 1);
  expect(await read()).toBeNull();
  await app.as(bob).delete(`/api/monitors/${first}`);
  expect(await read()).toEqual(OPEN);
});

it("an administrator's is about what is theirs", async () => {
  const { app, alice, read, shop } = await createHub();
  await shop();
  expect(await read(alice)).toBeNull();
  await addMonitor(app, alice, { url: "https://a.example/" });
  expect(await read(alice)).toEqual(OPEN);
});
