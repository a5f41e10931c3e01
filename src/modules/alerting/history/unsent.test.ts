import { describe, expect, it } from "bun:test";
import { events } from "../../../db/schema";
import type { UnsentReason } from "../../../shared/outages/unsent-reasons";
import {
  addChannel,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { addOutage } from "../../../testing/fixtures/outages";

const setUp = async () => {
  const hub = await createAlertApp();
  const { app, bob, delivery } = hub;
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const client = app.as(bob);
  const rule = (change: object) => saveRule(app, bob, { target_type: "global-monitor", ...change });
  const ownRule = (change: object) =>
    saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, ...change });
  const history = async () => (await client.get("/api/notifications/history")).body.events;
  /** The reasons that the history has, the newest event first. */
  const reasons = async () => (await history()).map(({ unsent_reason }) => unsent_reason);
  /** The entries of an outage about what was not sent. */
  const entries = async (id: number, reader = bob) =>
    (await app.as(reader).get(`/api/outages/${id}`)).body.timeline.flatMap((entry) =>
      entry.kind === "unsent" ? [[entry.event?.kind ?? null, entry.unsent_reason, entry.unsent]] : [],
    );
  const goDown = async () => {
    await app.clock.advance(60_000);
    await recordDown(app, shop);
    await runDeliveries(app, delivery);
  };
  const comeUp = async () => {
    await app.clock.advance(60_000);
    await recover(app, shop);
    await runDeliveries(app, delivery);
  };
  return { ...hub, shop, client, rule, ownRule, history, reasons, entries, goDown, comeUp };
};
type Hub = Awaited<ReturnType<typeof setUp>>;

const disable = async ({ client }: Hub, id: number) => {
  const stored = (await client.get("/api/notifications")).body.data.channels.find((channel) => channel.id === id);
  await client.put(`/api/notifications/channels/${id}`, { ...stored, enabled: false });
};

describe("why no channel is notified is the same in the alerts of a target, its outage and the history:", () => {
  const cases: [UnsentReason, string, (hub: Hub, chat: () => Promise<number>) => Promise<unknown>][] = [
    ["no_channels", "no channel has been added yet", async () => undefined],
    ["no_rule", "alerts were never turned on", (_, chat) => chat()],
    [
      "default_disabled",
      "alerts are off in the default rule",
      async ({ rule }, chat) => rule({ enabled: false, channels: [await chat()] }),
    ],
    [
      "rule_disabled",
      "alerts are off in its own rule",
      async ({ rule, ownRule }, chat) => {
        const channels = [await chat()];
        await rule({ channels });
        await ownRule({ enabled: false, channels });
      },
    ],
    [
      "default_no_recipients",
      "no channel is chosen in the default rule",
      async ({ rule }, chat) => {
        await chat();
        await rule({ channels: [] });
      },
    ],
    [
      "no_recipients",
      "no channel is chosen in its own rule",
      async ({ rule, ownRule }, chat) => {
        await rule({ channels: [await chat()] });
        await ownRule({ channels: [] });
      },
    ],
    [
      "not_selected",
      "the rule leaves out this kind of event",
      async ({ rule }, chat) => rule({ channels: [await chat()], on_down: false, on_recovery: false }),
    ],
    [
      "channel_disabled",
      "every chosen channel is off",
      async (hub, chat) => {
        const id = await chat();
        await hub.rule({ channels: [id] });
        await disable(hub, id);
      },
    ],
    [
      "channel_deleted",
      "every chosen channel was deleted",
      async ({ rule, client }, chat) => {
        const [id] = [await chat(), await chat()];
        await rule({ channels: [id] });
        await client.delete(`/api/notifications/channels/${id}`);
      },
    ],
  ];
  it.each(cases)("%s", async (code, text, prepare) => {
    const hub = await setUp();
    const { app, bob, client, shop, goDown, comeUp, history, reasons, entries } = hub;
    await prepare(hub, () => addChannel(app, bob));
    expect((await client.get(`/api/monitors/${shop}/alerts`)).body.alerts.silent_reason as string).toBe(code);
    await goDown();
    expect(await readDeliveries(app)).toEqual([]);
    expect((await history()).map(({ unsent_reason, unsent }) => [unsent_reason, unsent])).toEqual([[code, text]]);
    expect(await entries(1)).toEqual([["down", code, text]]);
    await comeUp();
    expect(await reasons()).toEqual([code, code]);
    expect(await entries(1)).toEqual([["down", code, text]]);
  });
});

it("the reason is the one of the time of the event, whatever is set later", async () => {
  const { app, bob, rule, goDown, comeUp, reasons, entries } = await setUp();
  await goDown();
  const chat = await addChannel(app, bob);
  await rule({ channels: [chat] });
  await comeUp();
  expect(await reasons()).toEqual(["unannounced", "no_channels"]);
  // The end is left out: the beginning says enough.
  expect(await entries(1)).toHaveLength(1);
  await goDown();
  expect(await reasons()).toEqual([null, "unannounced", "no_channels"]);
  expect(await entries(2)).toEqual([]);
});

it("an end that the rule leaves out is told of an outage that was alerted", async () => {
  const { app, bob, rule, goDown, comeUp, entries } = await setUp();
  await rule({ channels: [await addChannel(app, bob)], on_recovery: false });
  await goDown();
  await comeUp();
  expect(await entries(1)).toEqual([["recovery", "not_selected", "the rule leaves out this kind of event"]]);
});

it("an event that is not planned yet is not called unsent for good", async () => {
  const { app, shop, reasons, entries, delivery } = await setUp();
  await recordDown(app, shop);
  expect(await reasons()).toEqual(["undecided"]);
  await app.db.update(events).set({ waitUntil: app.clock.now() + 60_000 });
  expect(await reasons()).toEqual(["awaiting_parents"]);
  expect(await entries(1)).toEqual([["down", "awaiting_parents", "what it depends on is checked first"]]);
  await app.db.update(events).set({ waitUntil: null });
  await runDeliveries(app, delivery);
  expect(await reasons()).toEqual(["no_channels"]);
});

it("an event that was planned before reasons were stored has none that is known", async () => {
  const { app, goDown, reasons, entries } = await setUp();
  await goDown();
  await app.db.update(events).set({ unsentReason: null });
  expect(await reasons()).toEqual(["unknown"]);
  expect(await entries(1)).toEqual([["down", "unknown", "the reason was not recorded"]]);
});

it("an outage without an event was known before, or was imported", async () => {
  const { app, bob, shop, entries } = await setUp();
  const known = await addOutage(app, bob, { targetId: shop, endedAt: app.clock.now() });
  expect(await entries(known)).toEqual([[null, "not_new", "the problem was known before and is not alerted again"]]);
  const imported = await addOutage(app, bob, { targetId: shop, errorCode: "imported", endedAt: app.clock.now() });
  expect(await entries(imported)).toEqual([[null, "imported", "it was imported"]]);
});

it("only members of the team of an outage read why no one was notified", async () => {
  const { alice, goDown, entries } = await setUp();
  await goDown();
  expect(await entries(1)).toHaveLength(1);
  expect(await entries(1, alice)).toEqual([]);
});

it("events that were withheld from channels have the reason with each channel, and none of their own", async () => {
  const { app, bob, client, shop, rule, goDown, history, entries } = await setUp();
  await rule({ channels: [await addChannel(app, bob)] });
  await client.post(`/api/monitors/${shop}/mute`, { minutes: 5 });
  await goDown();
  expect(await history()).toMatchObject([
    { unsent_reason: null, unsent: null, deliveries: [{ state: "withheld", error_code: "muted" }] },
  ]);
  expect(await entries(1)).toEqual([]);
});
