import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { notificationRules } from "../../../db/schema";
import { HOUR } from "../../../shared/limits";
import { enrollAgent } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addPolicy,
  createAlertApp,
  readDeliveries,
  recordDown,
  resendChannel,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const hub = await createAlertApp();
  const { app, bob } = hub;
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const client = app.as(bob);
  const read = async () => (await client.get(`/api/monitors/${shop}/alerts`)).body;
  const reason = async () => (await read()).alerts.silent_reason;
  return { ...hub, shop, client, read, reason };
};

/** Adds the channels chat and mail and a policy with both, reminders and quiet hours. */
const withPolicy = async () => {
  const made = await setUp();
  const { app, bob } = made;
  const [chat, mail] = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
  const night = await addPolicy(app, bob, {
    name: "Night",
    steps: [
      { after_minutes: 0, channels: [chat] },
      { after_minutes: 15, channels: [mail] },
    ],
    repeat_minutes: 60,
    quiet: { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "23:59", time_zone: "UTC", mode: "hold" },
  });
  return { ...made, chat, mail, night };
};

describe("the effective alerts of a target", () => {
  it("name who is notified when by the policy of the rule for all, with its quiet hours", async () => {
    const { app, bob, chat, mail, night, read } = await withPolicy();
    await saveRule(app, bob, { target_type: "global-monitor", policy_id: night });
    const { alerts, rule } = await read();
    expect(alerts).toEqual({
      follows_default: true,
      policy: { id: night, name: "Night" },
      messages: [
        { kind: "begin", after_minutes: 0, channels: [{ id: chat, name: "chat", type: "telegram" }] },
        { kind: "step", after_minutes: 15, channels: [{ id: mail, name: "mail", type: "resend" }] },
        {
          kind: "reminder",
          after_minutes: 60,
          channels: [
            { id: chat, name: "chat", type: "telegram" },
            { id: mail, name: "mail", type: "resend" },
          ],
        },
        {
          kind: "end",
          after_minutes: null,
          channels: [
            { id: chat, name: "chat", type: "telegram" },
            { id: mail, name: "mail", type: "resend" },
          ],
        },
      ],
      silent_reason: null,
      disabled_channels: [],
      quiet: {
        days: [1, 2, 3, 4, 5, 6, 7],
        from: "00:00",
        to: "23:59",
        time_zone: "UTC",
        mode: "hold",
        until: expect.stringContaining("T23:59:00.000Z"),
      },
      critical: false,
      muted: null,
      maintenance: null,
    });
    expect(rule).toMatchObject({ overrideGlobal: false, enabled: false, policyId: night });
  });

  it("of a critical target have quiet hours that never hold a message", async () => {
    const { app, bob, night, shop, read } = await withPolicy();
    await saveRule(app, bob, { target_type: "global-monitor", policy_id: night });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, critical: true });
    expect((await read()).alerts).toMatchObject({ follows_default: true, critical: true, quiet: { until: null } });
  });

  it("say why no channel is notified, in the order in which each reason is mended", async () => {
    const { app, bob, client, shop, reason } = await setUp();
    expect(await reason()).toBe("no_channels");
    const chat = await addChannel(app, bob);
    expect(await reason()).toBe("no_rule");
    await saveRule(app, bob, { target_type: "global-monitor", enabled: false });
    expect(await reason()).toBe("default_disabled");
    await saveRule(app, bob, { target_type: "global-monitor" });
    expect(await reason()).toBe("default_no_recipients");
    await saveRule(app, bob, { target_type: "global-monitor", channels: [chat], on_down: false });
    expect(await reason()).toBe("not_selected");
    await saveRule(app, bob, { target_type: "global-monitor", on_down: true });
    expect(await reason()).toBe(null);
    await client.post(`/api/monitors/${shop}/mute`, { minutes: 5 });
    expect(await reason()).toBe("muted");
    const [stored] = (await client.get("/api/notifications")).body.data.channels;
    await client.put(`/api/notifications/channels/${chat}`, { ...stored, enabled: false });
    expect(await reason()).toBe("channel_disabled");
  });

  it("of a rule of its own do not need one for all", async () => {
    const { app, bob, shop, read } = await setUp();
    const chat = await addChannel(app, bob);
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, channels: [chat] });
    expect((await read()).alerts).toMatchObject({
      follows_default: false,
      silent_reason: null,
      messages: [{ kind: "begin" }, { kind: "end" }],
    });
  });

  it("name the chosen channels that are switched off", async () => {
    const { app, bob, client, chat, mail, read } = await withPolicy();
    await saveRule(app, bob, { target_type: "global-monitor", channels: [chat, mail], policy_id: null });
    const stored = (await client.get("/api/notifications")).body.data.channels[1];
    await client.put(`/api/notifications/channels/${mail}`, { ...stored, enabled: false });
    expect((await read()).alerts).toMatchObject({
      silent_reason: null,
      disabled_channels: [{ id: mail, name: "mail" }],
      messages: [{ channels: [{ name: "chat" }] }, { channels: [{ name: "chat" }] }],
    });
  });

  it("agree with what an outage sends", async () => {
    const { app, bob, delivery, chat, mail, shop, read } = await withPolicy();
    await saveRule(app, bob, { target_type: "global-monitor", channels: [chat, mail] });
    const [begin] = (await read()).alerts.messages;
    await recordDown(app, shop);
    await runDeliveries(app, delivery);
    const sent = (await readDeliveries(app)).map(({ channelId }) => channelId);
    expect(begin?.channels.map(({ id }) => id)).toEqual(sent);
  });

  it("of a server are answered with its thresholds, and with a mute until it ends", async () => {
    const { app, bob, client } = await setUp();
    const server = await enrollAgent(app, bob);
    await saveRule(app, bob, { target_type: "global-agent", cpu_threshold: 70 });
    await client.post(`/api/agents/${server.id}/mute`, { minutes: 60 });
    const { alerts, rule } = (await client.get(`/api/agents/${server.id}/alerts`)).body;
    expect(rule).toMatchObject({ cpuThreshold: 70, onOffline: true, overrideGlobal: false });
    expect(alerts.muted?.until).toBe(new Date(app.clock.now() + HOUR).toISOString());
    await client.delete(`/api/agents/${server.id}`);
    expect((await client.get(`/api/agents/${server.id}/alerts`)).status).toBe(404);
  });
});

describe("a rule that two people edit", () => {
  it("refuses the second one, with the values of the first", async () => {
    const { app, bob, client, shop, read } = await setUp();
    const [chat, mail] = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
    const { version } = await read();
    const save = (body: object) =>
      client.post("/api/notifications/settings", { target_type: "monitor", target_id: shop, version, ...body });
    expect((await save({ override_global: true, channels: [chat] })).status).toBe(200);
    const second = await save({ override_global: true, channels: [mail] });
    expect([second.status, second.body.code]).toEqual([409, "rule_changed"]);
    const stored = await read();
    expect(second.body.current).toEqual({ ...stored.rule, version: stored.version });
    expect(stored.rule).toMatchObject({ overrideGlobal: true, enabled: true, channels: [chat] });
    expect((await save({ version: stored.version, channels: [mail] })).status).toBe(200);
    expect((await read()).rule.channels).toEqual([mail]);
  });

  it("is saved as before without a version, and the same values are no change", async () => {
    const { client, shop, read } = await setUp();
    const body = { target_type: "monitor", target_id: shop, override_global: true };
    await client.post("/api/notifications/settings", body);
    const { version } = await read();
    expect((await client.post("/api/notifications/settings", body)).status).toBe(200);
    expect((await read()).version).toBe(version);
  });

  it("has a version for all targets, which thresholds of servers change too", async () => {
    const { client } = await setUp();
    const versions = async () => (await client.get("/api/notifications")).body.data.defaults;
    const before = await versions();
    const body = { target_type: "global-agent", cpu_threshold: 50, version: before.agents.version };
    expect((await client.post("/api/notifications/settings", body)).status).toBe(200);
    const refused = await client.post("/api/notifications/settings", body);
    expect([refused.status, refused.body.current.cpuThreshold]).toEqual([409, 50]);
    expect((await versions()).monitors.version).toBe(before.monitors.version);
  });
});

describe("exceptions", () => {
  it("are the targets with a rule of their own or marked as critical, by name", async () => {
    const { app, bob, client, shop } = await setUp();
    const chat = await addChannel(app, bob);
    const other = await addMonitor(app, bob, { url: "https://other.example/", name: "Other" });
    await addMonitor(app, bob, { url: "https://third.example/", name: "third" });
    const server = await enrollAgent(app, bob, { hostname: "web-1" });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, channels: [chat] });
    await saveRule(app, bob, { target_type: "agent", target_id: server.id, critical: true });
    await saveRule(app, bob, { target_type: "monitor", target_id: other, channels: [chat] });
    const list = async (query = "") => (await client.get(`/api/notifications/exceptions${query}`)).body;
    expect(await list()).toMatchObject({
      total: 2,
      exceptions: [
        { type: "monitor", id: shop, name: "shop", alerts: { follows_default: false, silent_reason: null } },
        { type: "agent", id: server.id, name: "web-1", alerts: { follows_default: true, critical: true } },
      ],
    });
    expect((await list("?of=agent")).exceptions).toMatchObject([{ name: "web-1" }]);
    expect((await list("?search=SHO")).exceptions).toMatchObject([{ name: "shop" }]);
    expect(await list("?limit=1&offset=1")).toMatchObject({ total: 2, exceptions: [{ name: "web-1" }] });
    await client.delete(`/api/monitors/${shop}`);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it("without a target are not listed, and on request left out of the settings", async () => {
    const { app, bob, client, shop } = await setUp();
    const rows = [shop, shop + 1].map((targetId) => ({
      ...{ ...madeBy(bob), targetType: "monitor" as const, targetId, policyId: null, critical: false },
      ...{ enabled: true, overrideGlobal: true, events: [], channels: [] },
    }));
    await app.db.insert(notificationRules).values(rows);
    expect((await client.get("/api/notifications/exceptions")).body).toMatchObject({ total: 1 });
    const { settings, defaults } = (await client.get("/api/notifications?specific=0")).body.data;
    expect(settings).toMatchObject({ specificMonitors: {}, specificAgents: {} });
    expect(defaults.monitors.alerts.follows_default).toBe(true);
    expect(Object.keys((await client.get("/api/notifications")).body.data.settings.specificMonitors)).toHaveLength(2);
  });
});
