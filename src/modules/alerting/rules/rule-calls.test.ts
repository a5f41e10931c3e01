import { describe, expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import { DEFAULT_RULE } from "../../../shared/notifications";
import { enrollAgent } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addPolicy,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { BOT_TOKEN } from "../../../testing/servers/providers";
import { effective } from "./service";

const PATH = "/api/notifications/settings";
const BUILT_IN = { env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "-1" } };

const setUp = async (options?: Parameters<typeof createAlertApp>[0]) => {
  const made = await createAlertApp(options);
  const client = made.app.as(made.bob);
  return { ...made, client, read: async () => (await client.get("/api/notifications")).body.data.settings };
};

describe("settings", () => {
  it("are disabled with default values until they are saved", async () => {
    const { client, read } = await setUp();
    expect(await read()).toEqual({
      monitors: {
        enabled: false,
        onDown: true,
        onRecovery: true,
        onSlow: true,
        onCertificate: true,
        channels: [],
        policyId: null,
      },
      agents: {
        enabled: false,
        onRecovery: true,
        onOffline: true,
        onCpuThreshold: false,
        cpuThreshold: 90,
        onMemoryThreshold: false,
        memoryThreshold: 85,
        onDiskThreshold: false,
        diskThreshold: 90,
        onProblem: true,
        onPlan: true,
        channels: [],
        policyId: null,
      },
      specificMonitors: {},
      specificAgents: {},
    });
    const { templates } = (await client.get("/api/notifications")).body.data;
    expect(templates.length).toBeGreaterThan(10);
    expect(templates.every(({ subject, content, is_default }) => subject && content && is_default)).toBe(true);
  });

  it("are stored with every field, also with flags as 0 and 1 and channels as JSON text", async () => {
    const { app, bob, client, read } = await setUp();
    const [one, two] = [await addChannel(app, bob), await addChannel(app, bob)];
    const body = {
      target_type: "global-agent",
      enabled: 1,
      on_recovery: 0,
      on_offline: 0,
      on_cpu_threshold: 1,
      cpu_threshold: 0,
      on_memory_threshold: 1,
      memory_threshold: 100,
      on_disk_threshold: true,
      disk_threshold: 66.5,
      channels: `[${one}, "${two}", ${one}]`,
    };
    expect((await client.post(PATH, body)).body).toEqual({ success: true } as never);
    const saved = {
      enabled: true,
      onRecovery: false,
      onOffline: false,
      onCpuThreshold: true,
      cpuThreshold: 0,
      onMemoryThreshold: true,
      memoryThreshold: 100,
      onDiskThreshold: true,
      diskThreshold: 66.5,
      onProblem: true,
      onPlan: true,
      channels: [one, two],
      policyId: null,
    };
    expect((await read()).agents).toEqual(saved);
    // Omitted fields stay unchanged.
    await client.post(PATH, { target_type: "global-agent", enabled: false, channels: [two] });
    expect((await read()).agents).toEqual({ ...saved, enabled: false, channels: [two] });
  });

  it("of one monitor or agent are stored separately, and are enabled when they override", async () => {
    const { app, bob, client, read } = await setUp();
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    const agent = await enrollAgent(app, bob);
    await client.post(PATH, { target_type: "monitor", target_id: id, override_global: 1, on_down: 0, on_slow: false });
    await client.post(PATH, { target_type: "agent", target_id: agent.id, cpu_threshold: 10 });
    const { specificMonitors, specificAgents } = await read();
    expect(specificMonitors).toEqual({
      [id]: {
        enabled: true,
        onDown: false,
        onRecovery: true,
        onSlow: false,
        onCertificate: true,
        channels: [],
        policyId: null,
        overrideGlobal: true,
        critical: false,
      },
    });
    expect(specificAgents[agent.id]).toMatchObject({ enabled: false, cpuThreshold: 10, overrideGlobal: false });
    await client.post(PATH, { target_type: "monitor", target_id: id, enabled: false });
    expect((await read()).specificMonitors[id]).toMatchObject({ enabled: false, overrideGlobal: true });
    await client.delete(`/api/monitors/${id}`);
    expect((await read()).specificMonitors).toEqual({});
  });

  const refused: [string, object][] = [
    ["an unknown target", { target_type: "everything" }],
    ["a threshold above 100", { target_type: "global-agent", cpu_threshold: 100.1 }],
    ["a threshold below 0", { target_type: "global-agent", disk_threshold: -1 }],
    ["a threshold that is no number", { target_type: "global-agent", memory_threshold: "high" }],
    ["a flag of 2", { target_type: "global-monitor", enabled: 2 }],
    ["channels that are no list", { target_type: "global-monitor", channels: "{}" }],
    ["channels that are no JSON", { target_type: "global-monitor", channels: "[1" }],
    ["a channel that is nothing", { target_type: "global-monitor", channels: "[null]" }],
    ["a channel that is empty", { target_type: "global-monitor", channels: [""] }],
    ["a channel that is half", { target_type: "global-monitor", channels: [1.5] }],
    ["a channel that does not exist", { target_type: "global-monitor", channels: [999] }],
  ];
  it.each(refused)("with %s are refused", async (_, body) => {
    const { app, alice, read } = await setUp(BUILT_IN);
    const answer = await app.as(alice).post(PATH, { enabled: true, ...body });
    expect([answer.status, answer.body.code]).toEqual([422, "validation"]);
    expect((await read()).monitors.enabled).toBe(false);
  });

  it("accept own channels only, and the built-in one from administrators", async () => {
    const { app, alice, bob, charlie } = await setUp(BUILT_IN);
    const bobs = await addChannel(app, bob);
    for (const user of [alice, charlie]) {
      const answer = await app.as(user).post(PATH, { target_type: "global-monitor", channels: [bobs] });
      expect([answer.status, answer.body.errors.map(({ path }) => path)]).toEqual([422, ["channels"]]);
    }
    await saveRule(app, alice, { target_type: "global-monitor", channels: [0] });
    expect((await app.as(bob).post(PATH, { target_type: "global-monitor", channels: [0] })).status).toBe(422);
  });

  it("name a policy, and go back to their channels without one", async () => {
    const { app, bob, charlie, client, read } = await setUp();
    const channel = await addChannel(app, bob);
    const policy = await addPolicy(app, bob, { steps: [{ after_minutes: 0, channels: [channel] }] });
    await saveRule(app, bob, { target_type: "global-monitor", channels: [channel], policy_id: policy });
    await saveRule(app, bob, { target_type: "global-monitor", on_recovery: false });
    expect((await read()).monitors).toMatchObject({ policyId: policy, channels: [channel], onRecovery: false });
    for (const [user, policy_id] of [
      [charlie, policy],
      [bob, policy + 1],
    ] as const) {
      const { status, body } = await app.as(user).post(PATH, { target_type: "global-agent", policy_id });
      expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["policy_id"]]);
    }
    await saveRule(app, bob, { target_type: "global-monitor", policy_id: null });
    expect((await read()).monitors).toMatchObject({ policyId: null, channels: [channel] });
    for (const policy_id of [0, -1, 1.5, "x", [policy]])
      expect((await client.post(PATH, { target_type: "global-monitor", policy_id })).status).toBe(422);
  });

  it("mark a single monitor or server as critical, whether or not it overrides the setting for all", async () => {
    const { app, bob, client, read } = await setUp();
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    await client.post(PATH, { target_type: "monitor", target_id: id, critical: true });
    expect((await read()).specificMonitors[id]).toMatchObject({ critical: true, overrideGlobal: false });
    await client.post(PATH, { target_type: "monitor", target_id: id, on_down: false });
    expect((await read()).specificMonitors[id]).toMatchObject({ critical: true, onDown: false });
    const all = await client.post(PATH, { target_type: "global-monitor", critical: true });
    expect([all.status, all.body.errors.map(({ path }) => path)]).toEqual([422, ["critical"]]);
    const rule = { ...DEFAULT_RULE, enabled: true };
    expect(effective(rule, { ...DEFAULT_RULE, critical: true })).toEqual({ ...rule, critical: true });
    expect(effective({ ...rule, critical: true }, undefined).critical).toBe(false);
  });

  it("accept own monitors and agents only", async () => {
    const { app, alice, bob, charlie } = await setUp();
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    const agent = await enrollAgent(app, bob);
    for (const user of [alice, charlie]) {
      const client = app.as(user);
      expect((await client.post(PATH, { target_type: "monitor", target_id: id })).status).toBe(404);
      expect((await client.post(PATH, { target_type: "agent", target_id: agent.id })).status).toBe(404);
    }
    expect((await app.as(bob).post(PATH, { target_type: "monitor", target_id: 999 })).status).toBe(404);
    for (const target_id of [0, null, undefined]) {
      const { status, body } = await app.as(bob).post(PATH, { target_type: "agent", target_id });
      expect([status, body.errors[0]?.path]).toEqual([422, "target_id"]);
    }
  });

  it("can be sent back as they are shown after a channel was deleted", async () => {
    const { app, bob, client, read } = await setUp();
    const [kept, gone] = [await addChannel(app, bob), await addChannel(app, bob)];
    await saveRule(app, bob, { target_type: "global-monitor", channels: [kept, gone] });
    await client.delete(`/api/notifications/channels/${gone}`);
    const { channels } = (await read()).monitors;
    expect(channels).toEqual([kept]);
    await saveRule(app, bob, { target_type: "global-monitor", channels });
  });
});

describe("history", () => {
  it("is paged from the newest event, with the result of each delivery", async () => {
    const { app, bob, charlie, client, delivery } = await setUp();
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob, telegramChannel("team"))]);
    for (let round = 0; round < 3; round++) {
      await recordDown(app, id);
      await runDeliveries(app, delivery);
      await app.clock.advance(MINUTE);
      await recover(app, id);
      await app.clock.advance(MINUTE);
    }
    await runDeliveries(app, delivery);
    const page = async (query: string) => (await client.get(`/api/notifications/history${query}`)).body;
    const all = await page("");
    expect(all.events.map(({ kind }) => kind).join(" ")).toBe("recovery down recovery down recovery down");
    expect(all.next).toBeNull();
    expect(all.events[1]).toMatchObject({
      kind: "down",
      target: { type: "monitor", id, name: "shop" },
      at: "2026-01-15T12:24:00.000Z",
      error: "status 503, expected 200",
      deliveries: [
        { channel: { name: "team", type: "telegram" }, state: "sent", attempts: 1, error: null, next_attempt_at: null },
      ],
    });
    const first = await page("?limit=4");
    const second = await page(`?limit=4&before=${first.next}`);
    expect([...first.events, ...second.events]).toEqual(all.events);
    expect(second.next).toBeNull();
    expect((await app.as(charlie).get("/api/notifications/history")).body.events).toEqual([]);
    expect((await client.get("/api/notifications/history?limit=0")).status).toBe(422);
    expect((await app.anybody.get("/api/notifications/history")).status).toBe(401);
  });
});

describe("the language of messages", () => {
  it("is that of the last sign-in that named one, and can be set", async () => {
    const { app, bob, client, delivery, telegram } = await setUp();
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
    const next = async () => {
      await app.clock.advance(MINUTE);
      await (telegram.messages.length % 2 === 0 ? recordDown(app, id) : recover(app, id));
      await runDeliveries(app, delivery);
      return telegram.texts().at(-1)?.split("\n")[0];
    };
    expect(await next()).toBe("🔴 shop 无法访问");
    const signIn = { username: "bob", password: "correct horse battery staple", language: "en-US" };
    expect((await app.anybody.post("/api/auth/login", signIn)).status).toBe(200);
    expect(await next()).toBe("🟢 shop is up again");
    expect((await client.put("/api/auth/language", { language: "zh-CN" })).status).toBe(200);
    expect(await next()).toBe("🔴 shop 无法访问");
    expect((await client.put("/api/auth/language", { language: "fr" })).status).toBe(422);
    expect(await next()).toBe("🟢 shop 已恢复");
  });
});
