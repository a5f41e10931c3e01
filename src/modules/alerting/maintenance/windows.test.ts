import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { isoTime } from "../../../lib/time";
import { HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import {
  addPolicy,
  addWatchedMonitor,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { watchHeartbeat } from "../../../testing/fixtures/heartbeats";
import { watchInMaintenance } from "../../../testing/fixtures/maintenance/watched-monitor";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { replaceTags } from "../../tags/service";
import { createDelivery } from "../delivery/deliver";

const WEEKLY = { kind: "weekly", days: [4], at: "13:00", minutes: 60, zone: "UTC" };

describe("an outage", () => {
  it("that begins in maintenance is alerted once at its end if it lasts, and says why it was not before", async () => {
    const { app, client, shop, pass, begin } = await watchInMaintenance();
    await begin({ monitors: [shop] });
    await recordDown(app, shop);
    const isWithin = async () => (await client.get("/api/outages")).body.outages.map((one) => one.maintenance ?? false);
    expect(await pass(59 * MINUTE)).toEqual([]);
    expect(await isWithin()).toEqual([true]);
    expect((await readDeliveries(app)).map(({ error }) => error)).toEqual(["it was in maintenance"]);
    expect(await pass(2 * MINUTE)).toEqual(["🔴"]);
    expect(await isWithin()).toEqual([false]);
    await recover(app, shop);
    expect(await pass(MINUTE)).toEqual(["🟢"]);
  });

  it("is alerted at the end also where time passes while it is planned", async () => {
    const { app, shop, begin } = await watchInMaintenance();
    let passed = 0;
    const clock = { ...app.deps.clock, now: () => app.clock.now() + passed++ };
    const delivery = createDelivery({ ...app.deps, clock });
    await begin({ monitors: [shop] });
    await recordDown(app, shop);
    await runDeliveries(app, delivery);
    await app.clock.advance(HOUR);
    await runDeliveries(app, delivery);
    expect((await readDeliveries(app)).map(({ state }) => state)).toEqual(["sent"]);
    await delivery.stop();
  });

  it("that is over at the end of maintenance is not alerted, nor is its end", async () => {
    const { app, shop, pass, begin } = await watchInMaintenance();
    await begin({ monitors: [shop] });
    await recordDown(app, shop);
    expect(await pass(10 * MINUTE)).toEqual([]);
    await recover(app, shop);
    expect(await pass(2 * HOUR)).toEqual([]);
  });

  it("that ends right after maintenance, before its end is handled, is not alerted either", async () => {
    const { app, shop, pass, begin } = await watchInMaintenance();
    await begin({ monitors: [shop] });
    await recordDown(app, shop);
    expect(await pass(10 * MINUTE)).toEqual([]);
    await app.clock.advance(50 * MINUTE);
    await recover(app, shop);
    expect(await pass(HOUR)).toEqual([]);
    await recordDown(app, shop);
    expect(await pass(MINUTE)).toEqual(["🔴"]);
  });

  it("that began before rests in maintenance: no steps and reminders, and its end is reported after it", async () => {
    const { app, bob, channel, shop, pass, begin } = await watchInMaintenance();
    const steps = [{ after_minutes: 0, channels: [channel] }];
    const policy = await addPolicy(app, bob, { name: "Often", steps, repeat_minutes: 10 });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, policy_id: policy });
    await recordDown(app, shop);
    expect(await pass(12 * MINUTE)).toEqual(["🔴", "🔴"]);
    await begin({ all: true });
    expect(await pass(40 * MINUTE)).toEqual([]);
    await recover(app, shop);
    expect(await pass(10 * MINUTE)).toEqual([]);
    expect(await pass(20 * MINUTE)).toEqual(["🟢"]);
  });

  it("is alerted at once when its window is ended, deleted or changed, unless another window goes on", async () => {
    const { app, client, shop, pass, begin } = await watchInMaintenance();
    await client.post("/api/monitors/bulk", { ids: [shop], action: "set", set: { tags: { add: [{ name: "web" }] } } });
    const first = await begin({ monitors: [shop] });
    const second = await begin({ minutes: 30, all: true });
    await recordDown(app, shop);
    await client.post(`/api/windows/${first}/end`);
    expect(await pass(10 * MINUTE)).toEqual([]);
    await client.delete(`/api/windows/${second}`);
    expect(await pass()).toEqual(["🔴"]);
    const body = { title: "x", monitors: [shop], schedule: WEEKLY };
    const { id } = (await client.post("/api/windows", body)).body.window;
    // Until Thursday, 13:00.
    await recover(app, shop);
    await app.clock.set(START + HOUR);
    expect(await pass(MINUTE)).toEqual([]);
    await client.put(`/api/windows/${id}`, { ...body, schedule: { ...WEEKLY, days: [5] } });
    expect(await pass()).toEqual(["🟢"]);
  });

  it("of a target with a tag of a window is in it, and those of other targets are not", async () => {
    const { app, bob, channel, shop, pass, begin } = await watchInMaintenance();
    const blog = await addWatchedMonitor(app, bob, [channel], "blog");
    for (const [id, value] of [[shop, "eu"] as const, [blog, "us"] as const]) {
      const changed = [{ id, tags: [{ name: "Web", value }] }];
      await replaceTags(app.db, { owner: madeBy(bob), type: "monitor" }, changed);
    }
    await begin({ tags: ["web:eu"] });
    for (const id of [shop, blog]) await recordDown(app, id);
    expect(await pass(MINUTE)).toEqual(["🔴"]);
    expect((await readDeliveries(app)).map(({ state }) => state).toSorted()).toEqual(["sent", "withheld"]);
  });
});

it("a monitor, a server and a problem say until when they are in maintenance, in lists and by themselves", async () => {
  const { app, bob, client, shop, begin } = await watchInMaintenance();
  const { id: agent } = await enrollAgent(app, bob);
  await recordDown(app, shop);
  const read = async () => {
    const monitors = await Promise.all(
      (["", "?fields=compact"] as const).map(
        async (query) => (await client.get(`/api/monitors${query}`)).body.monitors[0],
      ),
    );
    const dashboard = (await client.get("/api/dashboard")).body;
    return [
      ...[
        ...monitors,
        (await client.get(`/api/monitors/${shop}`)).body.monitor,
        dashboard.problems[0] ?? dashboard.in_maintenance.outages[0],
      ],
      ...[(await client.get("/api/agents")).body.agents[0], (await client.get(`/api/agents/${agent}`)).body.agent],
    ].map((one) => one?.maintenance);
  };
  expect(await read()).toEqual(Array(6).fill(null));
  await begin({ monitors: [shop] });
  await begin({ minutes: 30, all: true });
  const at = (minutes: number) => ({ until: isoTime(app.clock.now() + minutes * MINUTE) });
  expect(await read()).toEqual([...Array(4).fill(at(60)), at(30), at(30)]);
  const { alerts } = JSON.parse((await client.get(`/api/monitors/${shop}/alerts`)).text);
  expect(alerts).toMatchObject({ silent_reason: "maintenance", maintenance: at(60), muted: null });
});

it("the timeline of an outage and the chart of its monitor have the maintenance in their time", async () => {
  const { app, client, shop, begin } = await watchInMaintenance();
  await recordDown(app, shop);
  await app.clock.advance(MINUTE);
  await begin({ monitors: [shop], title: "Upgrade" });
  await app.clock.advance(MINUTE);
  const from = isoTime(app.clock.now() - MINUTE);
  const maintenance = { from, to: isoTime(app.clock.now() + 59 * MINUTE), title: "Upgrade" };
  const [outage] = (await client.get("/api/outages")).body.outages;
  const { timeline } = JSON.parse((await client.get(`/api/outages/${outage?.id}`)).text);
  expect(timeline.filter(({ kind }: { kind: string }) => kind === "maintenance")).toEqual([
    { kind: "maintenance", at: from, maintenance },
  ]);
  const series = JSON.parse((await client.get(`/api/monitors/${shop}/series?range=24h`)).text);
  expect(series.maintenance).toEqual([maintenance]);
  const [listed] = (await client.get("/api/monitors")).body.monitors;
  expect(listed?.maintenance_times).toEqual([maintenance]);
  const { in_maintenance, problems, problems_total } = (await client.get("/api/dashboard")).body;
  expect([problems, problems_total]).toEqual([[], 0]);
  expect(in_maintenance).toMatchObject({ monitors: 1, agents: 0, total: 1, outages: [{ target_name: "shop" }] });
});

describe("uptime", () => {
  it.each([
    [false, { watched_seconds: 3600 * 2, down_seconds: 600 }],
    [true, { watched_seconds: 3600 * 3, down_seconds: 3600 + 600 }],
  ])(
    "of a target with a window that is counted (%p) leaves its time out or has it, also once it was deleted",
    async (counted, expected) => {
      const { app, client, shop } = await watchInMaintenance();
      const from = app.clock.now();
      await record(app, shop, [{ at: from }]);
      const schedule = { kind: "once", from: isoTime(from + HOUR), to: isoTime(from + 2 * HOUR) };
      const { id } = (await client.post("/api/windows", { title: "x", monitors: [shop], schedule, counted })).body
        .window;
      await app.clock.advance(HOUR);
      await recordDown(app, shop);
      await app.clock.advance(HOUR + 10 * MINUTE);
      await recover(app, shop);
      await app.clock.advance(50 * MINUTE);
      const day = async () => (await client.get(`/api/monitors/${shop}`)).body.monitor.availability?.["24h"];
      const close = (figures: object | null | undefined) =>
        Object.fromEntries(
          Object.entries(figures ?? {}).flatMap(([name, value]) =>
            name.endsWith("_seconds") ? [[name, Math.round(Number(value) / 60) * 60]] : [],
          ),
        );
      expect(close(await day())).toEqual(expected);
      await client.delete(`/api/windows/${id}`);
      expect((await client.get("/api/windows")).body).toMatchObject({ windows: [], past: [] });
      expect(close(await day())).toEqual(expected);
    },
  );
});

it("a heartbeat whose ping is missing in maintenance is expected at its end, plus its grace time", async () => {
  const { app, id, client, ping, pass, statusNow } = await watchHeartbeat();
  await ping();
  await pass(50 * MINUTE);
  await client.post("/api/windows/start", { minutes: 60, monitors: [id] });
  await pass(30 * MINUTE);
  expect(await statusNow()).toBe("up");
  await pass(39 * MINUTE);
  expect(await statusNow()).toBe("up");
  await pass(2 * MINUTE);
  expect(await statusNow()).toBe("down");
  expect(app.clock.now()).toBe(START + 121 * MINUTE);
});

describe("a window", () => {
  const start = async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const client = app.as(bob);
    const monitor = await addMonitor(app, bob, { url: "http://127.0.0.1:9/" });
    const { id: agent } = await enrollAgent(app, bob);
    const theirs = await addMonitor(app, charlie, { url: "http://127.0.0.1:9/" });
    const create = (body: object) => client.post("/api/windows", { title: "x", all: true, schedule: WEEKLY, ...body });
    return { app, client, monitor, agent, theirs, create, others: app.as(charlie) };
  };

  it("is answered with its present and next occurrence, in the zone of its user by default", async () => {
    const { client, monitor, agent, create } = await start();
    await client.put("/api/auth/time-zone", { time_zone: "Asia/Shanghai" });
    const { zone: _, ...schedule } = { ...WEEKLY, at: "20:30", minutes: 90 };
    const made = await create({ all: false, monitors: [monitor], agents: [agent], tags: ["web"], schedule });
    expect([made.status, made.body.window]).toMatchObject([
      201,
      {
        ...{ title: "x", all: false, monitors: [monitor], agents: [agent], tags: ["web"], counted: false },
        schedule: { ...schedule, weeks: 1, zone: "Asia/Shanghai" },
        current: null,
        next: { from: "2026-01-15T12:30:00.000Z", to: "2026-01-15T14:00:00.000Z" },
        over_at: null,
      },
    ]);
    await client.delete(`/api/monitors/${monitor}`);
    expect((await client.get(`/api/windows/${made.body.window.id}`)).body.window.monitors).toEqual([]);
  });

  it("that is ended once comes again, and one that was started does not", async () => {
    const { app, client, create } = await start();
    const { id } = (await create({ schedule: { ...WEEKLY, at: "12:00" } })).body.window;
    const begun = (await client.post("/api/windows/start", { minutes: 20, all: true })).body.id;
    for (const ended of [true, false])
      for (const one of [id, begun])
        expect(JSON.parse((await client.post(`/api/windows/${one}/end`)).text).ended).toBe(ended);
    const { windows, past } = (await client.get("/api/windows")).body;
    expect(windows).toMatchObject([{ id, current: null, next: { from: "2026-01-22T12:00:00.000Z" } }]);
    expect(past).toMatchObject([{ id: begun, over_at: isoTime(app.clock.now()) }]);
  });

  it("is refused with a code where it is about nothing, about what others have, or its times are wrong", async () => {
    const { create, theirs, others, client } = await start();
    const refused = [
      [{ all: false }, "monitors", undefined],
      [{ all: false, monitors: [theirs] }, "monitors.0", undefined],
      [{ title: "" }, "title", undefined],
      [{ schedule: { kind: "weekly", days: [1], minutes: 60 } }, "schedule.at", undefined],
      [{ schedule: { ...WEEKLY, weeks: 2 } }, "schedule.anchor", undefined],
      [{ schedule: { ...WEEKLY, at: "24:00" } }, "schedule.at", undefined],
      [{ schedule: { ...WEEKLY, zone: "Mars/Olympus" } }, "schedule.zone", "zone_unknown"],
      [{ schedule: { ...WEEKLY, days: [] } }, "schedule.days", "window_never"],
      [{ schedule: { kind: "monthly", day: 32, at: "03:00", minutes: 60 } }, "schedule.day", undefined],
      [{ schedule: { kind: "cron", cron: "0 0 31 2 *", minutes: 60 } }, "schedule.cron", "cron_never"],
      [{ schedule: { kind: "cron", cron: "* * * * *", minutes: 1 } }, "schedule.cron", "window_too_often"],
      [{ schedule: { kind: "once", from: isoTime(START), to: isoTime(START) } }, "schedule.to", "window_empty"],
      [{ schedule: { kind: "yearly" } }, "schedule.kind", undefined],
    ] as const;
    for (const [body, path, code] of refused) {
      const { status, text } = await create(body);
      const { errors } = JSON.parse(text);
      expect([body, status, errors?.[0]?.path, errors?.[0]?.code] as unknown).toEqual([body, 422, path, code]);
    }
    const { id } = (await create({})).body.window;
    for (const call of [others.get(`/api/windows/${id}`), others.delete(`/api/windows/${id}`)])
      expect((await call).status).toBe(404);
    expect((await client.get("/api/windows")).body.windows).toHaveLength(1);
  });

  it("is one of at most 200 that are not over", async () => {
    const { client } = await start();
    for (let count = 0; count < 200; count++) await client.post("/api/windows/start", { minutes: 1, all: true });
    expect((await client.post("/api/windows/start", { minutes: 1, all: true })).text).toContain("too_many_windows");
  });
});
