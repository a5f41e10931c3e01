import { describe, expect, it } from "bun:test";
import type { Static } from "@sinclair/typebox";
import { monitorStates, monitors } from "../../db/schema";
import type { parts } from "../../server/compose/transfer-parts";
import { createTestApp, type TestApp } from "../../testing/app";
import { enrollAgent, machine } from "../../testing/fixtures/agents";
import {
  addChannel,
  addPolicy,
  createAlertApp,
  resendChannel,
  saveRule,
  telegramChannel,
} from "../../testing/fixtures/alerts";
import { withoutIds } from "../../testing/fixtures/imports/exported";
import { addMonitor } from "../../testing/fixtures/monitors";
import type { TestUser } from "../../testing/fixtures/people";
import { publish, readStatusConfig } from "../../testing/fixtures/status-page";
import { API_KEY, BOT_TOKEN } from "../../testing/servers/providers";
import type { createModels } from "./model";

type Models = ReturnType<typeof createModels<(typeof parts)[number]>>;
type Exported = Static<Models["exported"]>;
const download = async (app: TestApp, owner: TestUser): Promise<Exported> =>
  JSON.parse((await app.as(owner).get("/api/export")).text);

const upload = async (app: TestApp, owner: TestUser, file: unknown): Promise<Static<Models["result"]>> => {
  const { status, text } = await app.as(owner).post("/api/import", file);
  if (status !== 200) throw new Error(`the file was not imported: ${status} ${text}`);
  return JSON.parse(text);
};

/** Creates one item of each kind for Bob. */
const furnished = async () => {
  const made = await createAlertApp();
  const { app, bob } = made;
  const shop = await addMonitor(app, bob, {
    url: "http://127.0.0.1:9/?q=ü",
    name: "Shop 商店",
    method: "POST",
    headers: { Authorization: "Bearer of-bob", accept: "*/*" },
    body: '{"a": "💥"}',
    ...{ interval: 120, expectedStatus: 2, retries: 3 },
  });
  const blog = await addMonitor(app, bob, { url: "http://127.0.0.1:9/blog", name: "Blog", active: false });
  const server = await enrollAgent(app, bob, { hostname: "db-1" });
  const [chat, mail] = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
  const policy = await addPolicy(app, bob, {
    name: "Night",
    steps: [
      { after_minutes: 0, channels: [chat] },
      { after_minutes: 10, channels: [mail, chat] },
    ],
    repeat_minutes: 30,
    quiet: { days: [6, 7], from: "22:00", to: "07:00", time_zone: "Asia/Shanghai", mode: "drop" },
  });
  const all = { channels: [chat, mail], on_recovery: false, policy_id: policy };
  await saveRule(app, bob, { target_type: "global-monitor", ...all });
  const single = { target_type: "monitor", channels: [mail], override_global: true, critical: true };
  await saveRule(app, bob, { target_id: blog, ...single });
  for (const channel_id of [null, mail])
    await app.as(bob).post("/api/notifications/templates", { channel_id, event: "down", title: "{{name}}", body: "" });
  await saveRule(app, bob, { target_type: "agent", target_id: server.id, cpu_threshold: 66.5, on_cpu_threshold: true });
  await app.as(bob).post(`/api/monitors/${shop}/mute`, { until_recovery: true });
  await app.as(bob).post(`/api/agents/${server.id}/mute`, { minutes: 60 });
  const schedule = { kind: "monthly", nth: "last", weekday: 7, at: "02:30", minutes: 90, zone: "Europe/Berlin" };
  await app.as(bob).post("/api/windows", { title: "Upgrade", monitors: [shop], agents: [server.id], schedule });
  await app.as(bob).put(`/api/monitors/${shop}/dependencies`, { parents: [{ type: "agent", id: server.id }] });
  await app.as(bob).post("/api/reports/schedules", { every: "month", hour: 8, channels: [mail, chat] });
  const page = { title: "Shop", description: "All of it", customCss: "h1 { color: red; }" };
  await publish(app, bob, {
    ...page,
    logoUrl: "https://shop.example/l.png",
    ...{ monitors: [blog, shop], agents: [server.id] },
    groups: [{ name: "Sales", monitors: [shop], agents: [server.id] }],
  });
  const incident = (await app.as(bob).post("/api/incidents", { title: "Slow", body: "We look into it." })).body
    .incident;
  await app.as(bob).post(`/api/incidents/${incident.id}/updates`, { status: "resolved", body: "It is *over*." });
  const text = { name: "Slow", status: "investigating", title: "", body: "{{since}}" };
  await app.as(bob).post("/api/incidents/texts", text);
  return { ...made, shop, blog, server, chat, mail, policy };
};

// The counts of all that Bob has, and of nothing.
const [policies, settings, objectives, thresholds, templates, mutes] = [1, 3, 0, 0, 2, 2];
const WRITTEN = { incident_texts: 1, incidents: 1, follows: 0, pages: 0 };
const ONES = { dependencies: 1, report_schedules: 1, status_page: 1, ping_keys: 0, windows: 1, ...WRITTEN };
const ALL = { monitors: 2, channels: 2, policies, settings, objectives, thresholds, templates, mutes, ...ONES };
const NONE = Object.fromEntries(Object.keys(ALL).map((part) => [part, 0])) as typeof ALL;

describe("a configuration", () => {
  it("is exported completely, without the secrets of channels and other users' data", async () => {
    const { app, bob, charlie, shop, blog, server, chat, mail, policy } = await furnished();
    await addMonitor(app, charlie, { url: "http://127.0.0.1:9/charlies" });
    const { headers, text } = await app.as(bob).get("/api/export");
    expect(headers.get("content-disposition")).toBe('attachment; filename="wakeful-2026-01-15.json"');
    for (const secret of [BOT_TOKEN, API_KEY, BOT_TOKEN.slice(-4), API_KEY.slice(-4), "charlie"])
      expect(text).not.toContain(secret);
    const file: Exported = JSON.parse(text);
    expect(file).toMatchObject({
      format: "wakeful-configuration",
      version: 1,
      exported_at: "2026-01-15T12:20:00.000Z",
    });
    expect(file.monitors.map(({ id, name }) => [id, name])).toEqual([
      [shop, "Shop 商店"],
      [blog, "Blog"],
    ]);
    expect(file.monitors[0]).toMatchObject({ expected_status: 2, headers: { Authorization: "Bearer of-bob" } });
    expect(file.agents).toEqual([{ id: server.id, name: "db-1", hostname: "db-1" }]);
    expect(file.channels.map(({ id, config }) => [id, config])).toEqual([
      [chat, { chatId: "42" }],
      [mail, { from: resendChannel().config.from, to: resendChannel().config.to }],
    ]);
    expect(file.policies).toMatchObject([{ id: policy, name: "Night", steps: [{}, { channels: [mail, chat] }] }]);
    expect(file.notifications.monitors.policyId).toBe(policy);
    const ofBlog = { overrideGlobal: true, channels: [mail], policyId: null, critical: true };
    expect(file.notifications.specificMonitors[blog]).toMatchObject(ofBlog);
    const texts = { event: "down", title: "{{name}}", body: "" } as const;
    expect(file.templates).toEqual([null, mail].map((channel_id) => ({ channel_id, ...texts })));
    expect(file.mutes).toEqual({
      monitors: { [shop]: { until: null, until_recovery: true } },
      agents: { [server.id]: { until: "2026-01-15T13:20:00.000Z", until_recovery: false } },
    });
    expect(file.dependencies).toEqual({ monitors: { [shop]: [{ type: "agent", id: server.id }] }, agents: {} });
    expect(file.status_page).toMatchObject({ title: "Shop", monitors: [blog, shop], agents: [server.id] });
  });

  it("is imported into another account with its references, and only once", async () => {
    const { app, bob, charlie } = await furnished();
    const own = await enrollAgent(app, charlie, { machine_id: "m2", hostname: "db-1" });
    const file = await download(app, bob);
    const first = await upload(app, charlie, file);
    expect(first.created).toEqual(ALL);
    expect(first.skipped).toEqual(NONE);
    expect(first.notes.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "channels.0 secret_missing",
      "channels.1 secret_missing",
    ]);

    const theirs = await download(app, charlie);
    const switchedOff = { ...file, channels: file.channels.map((channel) => ({ ...channel, enabled: false })) };
    expect(withoutIds(theirs)).toEqual(withoutIds(switchedOff));
    const [shop, blog] = theirs.monitors.map(({ id }) => id);
    const [chat, mail] = theirs.channels.map(({ id }) => id);
    expect(new Set([shop, blog, ...file.monitors.map(({ id }) => id)]).size).toBe(4);
    expect(theirs.notifications.monitors.channels).toEqual([chat, mail] as number[]);
    const [night] = theirs.policies;
    expect([night?.steps[0]?.channels, night?.steps[1]?.channels]).toEqual([[chat], [mail, chat]] as number[][]);
    expect(theirs.notifications.monitors.policyId).toBe(night?.id as number);
    expect(night?.id).not.toBe(file.policies[0]?.id as number);
    expect(theirs.notifications.specificMonitors).toMatchObject({ [blog as number]: { channels: [mail] } });
    expect(theirs.notifications.specificAgents).toMatchObject({ [own.id]: { cpuThreshold: 66.5 } });
    expect(theirs.dependencies.monitors).toEqual({ [shop as number]: [{ type: "agent", id: own.id }] });
    expect(theirs.status_page).toMatchObject({ monitors: [blog, shop], agents: [own.id] });
    expect(theirs.status_page?.groups).toEqual([{ name: "Sales", monitors: [shop as number], agents: [own.id] }]);
    expect((await readStatusConfig(app, charlie)).slug).toBe("charlie");
    const states = await app.db.select().from(monitorStates);
    const stateOf = (id: number | undefined) => states.find(({ monitorId }) => monitorId === id);
    expect(stateOf(shop)?.nextCheckAt).toBeNumber();
    expect(stateOf(blog)?.nextCheckAt).toBeNull();

    const second = await upload(app, charlie, file);
    expect(second.created).toEqual(NONE);
    expect(second.skipped).toEqual(ALL);
    expect(second.notes).toEqual([]);
    expect({ ...(await download(app, charlie)), exported_at: "" }).toEqual({ ...theirs, exported_at: "" });
  });

  it("leaves existing items unchanged, with a note for each that differs", async () => {
    const { app, bob, blog, chat, policy } = await furnished();
    const file = await download(app, bob);
    await app.as(bob).post(`/api/monitors/${blog}/resume`);
    await saveRule(app, bob, { target_type: "global-monitor", enabled: false });
    await publish(app, bob, { title: "Another" });
    const night = { name: "Night", steps: [{ after_minutes: 0, channels: [chat] }] };
    await app.as(bob).put(`/api/notifications/policies/${policy}`, night);
    const before = await download(app, bob);
    const { created, notes } = await upload(app, bob, file);
    expect(created).toEqual(NONE);
    expect(notes.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "policies.0 kept",
      "notifications.monitors kept",
      "status_page kept",
    ]);
    expect(await download(app, bob)).toEqual(before);
  });

  it("has no note for a page that still lists deleted items", async () => {
    const { app, bob, shop, server } = await furnished();
    await app.as(bob).delete(`/api/monitors/${shop}`);
    await app.as(bob).delete(`/api/agents/${server.id}`);
    expect((await upload(app, bob, await download(app, bob))).notes).toEqual([]);
  });

  it("restores deleted items beside existing ones", async () => {
    const { app, bob, shop } = await furnished();
    const file = await download(app, bob);
    await app.as(bob).delete(`/api/monitors/${shop}`);
    const { created, skipped } = await upload(app, bob, file);
    expect([created.monitors, skipped.monitors]).toEqual([1, 1]);
    expect((await download(app, bob)).monitors.map(({ name }) => name)).toEqual(["Blog", "Shop 商店"]);
  });

  it("may contain the same monitor twice", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    for (const _ of [1, 2]) await addMonitor(app, bob, { url: "http://127.0.0.1:9/" });
    const file = await download(app, bob);
    expect((await upload(app, bob, file)).created.monitors).toBe(0);
    await app.as(bob).delete(`/api/monitors/${file.monitors[0]?.id}`);
    expect((await upload(app, bob, file)).created.monitors).toBe(1);
    expect(await app.db.$count(monitors)).toBe(2);
  });

  it("that is imported twice concurrently is created once, on any instance", async () => {
    const { app, bob, charlie } = await furnished();
    const other = await createTestApp({ db: app.db });
    const file = await download(app, bob);
    const answers = await Promise.all([app, other, app].map((instance) => upload(instance, charlie, file)));
    expect(answers.map(({ created }) => created.monitors).toSorted()).toEqual([0, 0, 2]);
    expect((await download(app, charlie)).monitors.length).toBe(2);
    expect((await download(app, charlie)).channels.length).toBe(2);
  });

  it("skips references to missing servers and to the built-in channel", async () => {
    const { app, bob, charlie } = await furnished();
    await enrollAgent(app, charlie, machine({ machine_id: "m2", hostname: "another" }));
    const file = await download(app, bob);
    file.notifications.agents = { ...file.notifications.agents, enabled: true, channels: [0] };
    const { created, notes } = await upload(app, charlie, file);
    expect(created.settings).toBe(3);
    expect(notes.map(({ path, code }) => `${path} ${code}`).slice(2)).toEqual([
      "agents.0 server_missing",
      "notifications built_in_missing",
    ]);
    const { notifications, status_page } = await download(app, charlie);
    expect(notifications.specificAgents).toEqual({});
    expect(notifications.agents).toMatchObject({ enabled: true, channels: [] });
    expect(status_page?.agents).toEqual([]);
  });

  it("may contain a channel's secret that was added manually", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const file = { format: "wakeful-configuration", version: 1, channels: [telegramChannel(), resendChannel()] };
    const masked = { ...resendChannel("masked"), config: { ...resendChannel().config, apiKey: "••••abcd" } };
    const { notes } = await upload(app, bob, { ...file, channels: [...file.channels, masked] });
    expect(notes.map(({ path }) => path)).toEqual(["channels.2"]);
    expect((await download(app, bob)).channels.map(({ enabled }) => enabled)).toEqual([true, true, false]);
  });

  it("of thousands of monitors is imported", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const many = Array.from({ length: 3000 }, (_, index) => ({
      name: `m${index}`,
      url: "http://a.example",
      interval: 60,
      active: false,
    }));
    const file = { format: "wakeful-configuration", version: 1, monitors: many };
    expect((await upload(app, alice, file)).created.monitors).toBe(3000);
    expect((await upload(app, alice, file)).skipped.monitors).toBe(3000);
    expect(await app.db.$count(monitorStates)).toBe(3000);
  });
});

it("importing one's own export reports no differing rules, whichever fields the API stored", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const monitor = { name: "shop", url: "https://shop.example/", interval: 60, active: false };
  const { id } = (await app.as(bob).post("/api/monitors", monitor)).body.monitor;
  const set = { target_type: "monitor", target_id: id, enabled: true, override_global: true };
  await app.as(bob).post("/api/notifications/settings", { ...set, cpu_threshold: 50, on_offline: false });
  const { body } = await app.as(bob).post("/api/notifications/channels", telegramChannel());
  await app.as(bob).post("/api/notifications/settings", { ...set, channels: [body.data.id] });
  await app.as(bob).delete(`/api/notifications/channels/${body.data.id}`);
  expect((await upload(app, bob, await download(app, bob))).notes).toEqual([]);
});

it("an export of hundreds of monitors contains each once, in order of creation", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const monitors = Array.from({ length: 120 }, (_, index) => ({
    name: `m${index}`,
    url: "https://shop.example/",
    interval: 60,
    active: false,
  }));
  await upload(app, alice, { format: "wakeful-configuration", version: 1, monitors });
  const names = (await download(app, alice)).monitors.map(({ name }) => name);
  expect(names).toEqual(monitors.map(({ name }) => name));
});
