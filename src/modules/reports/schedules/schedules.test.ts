import { describe, expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import { MAX_REPORT_SCHEDULES } from "../../../shared/reports/schedule";
import { addChannel, createAlertApp } from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";

const PATH = "/api/reports/schedules";

const setUp = async () => {
  const { app, bob, charlie, alice } = await createAlertApp();
  const chat = await addChannel(app, bob);
  const create = (body: object = {}, as = bob) =>
    app.as(as).post(PATH, { every: "week", hour: 8, channels: [chat], ...body });
  return { app, alice, bob, charlie, chat, create };
};

describe("a schedule of reports", () => {
  it("is created in the zone of its owner, changed, listed for its owner only, and deleted", async () => {
    const { app, bob, charlie, chat, create } = await setUp();
    await app.as(bob).put("/api/auth/time-zone", { time_zone: "Asia/Shanghai" });
    const { status, body } = await create({ target: 99.9 });
    expect(status).toBe(201);
    expect(body.schedule).toMatchObject({
      ...{ every: "week", hour: 8, zone: "Asia/Shanghai", scope: "all", target: 99.9, share: false, details: false },
      ...{ channels: [{ id: chat, name: "chat", type: "telegram", enabled: true }], problem: null, last: null },
      next_at: "2026-01-19T00:00:00.000Z",
    });
    const { id } = body.schedule;
    const monthly = { every: "month", hour: 0, zone: "UTC", channels: [chat], scope: "page", share: true };
    const changed = (await app.as(bob).put(`${PATH}/${id}`, monthly)).body.schedule;
    expect(changed).toMatchObject({
      id,
      every: "month",
      scope: "page",
      share: true,
      next_at: "2026-02-01T00:00:00.000Z",
    });
    expect((await app.as(bob).get(PATH)).body.schedules).toEqual([changed]);
    expect((await app.as(charlie).get(PATH)).body.schedules).toEqual([]);
    expect((await app.as(charlie).put(`${PATH}/${id}`, monthly)).status).toBe(404);
    expect((await app.as(charlie).delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await app.as(bob).delete(`${PATH}/${id}`)).status).toBe(200);
    expect((await app.as(bob).get(PATH)).body.schedules).toEqual([]);
  });

  it("is exported and imported with its monitor and channels, and once", async () => {
    const { app, bob, charlie, chat, create } = await setUp();
    const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
    await create({ scope: `monitor:${shop}`, target: 99.9, zone: "Asia/Shanghai" });
    await create({ every: "month", scope: "tag:prod", share: true });
    const file = JSON.parse((await app.as(bob).get("/api/export")).text);
    const rest = { hour: 8, channels: [chat], details: false };
    expect(file.report_schedules).toEqual([
      {
        ...rest,
        every: "week",
        zone: "Asia/Shanghai",
        scope: "all",
        monitor: shop,
        agent: null,
        target: 99.9,
        share: false,
      },
      {
        ...rest,
        every: "month",
        zone: "UTC",
        scope: "tag:prod",
        monitor: null,
        agent: null,
        target: null,
        share: true,
      },
    ]);
    for (const created of [2, 0])
      expect((await app.as(charlie).post("/api/import", file)).body.created.report_schedules).toBe(created);
    const { schedules } = (await app.as(charlie).get(PATH)).body;
    const id = (await app.as(charlie).get("/api/monitors")).body.monitors[0]?.id;
    expect(schedules.map(({ scope, channels }) => [scope, channels[0]?.name])).toEqual([
      [`monitor:${id}`, "chat"],
      ["tag:prod", "chat"],
    ]);
    expect(id).not.toBe(shop);
    const [first] = file.report_schedules;
    for (const [path, change] of [
      ["report_schedules.0.zone", { zone: "Mars" }],
      ["report_schedules.0.scope", { scope: "page" }],
      ["report_schedules.0.scope", { scope: `monitor:${shop}`, monitor: null }],
      ["report_schedules.0.monitor", { monitor: 999 }],
    ] as const) {
      const answer = await app
        .as(charlie)
        .post("/api/import", { ...file, report_schedules: [{ ...first, ...change }] });
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path]);
    }
  });

  it("names its tag as that is called after it was renamed, as links do", async () => {
    const { app, bob, create } = await setUp();
    await addMonitor(app, bob, { url: "https://shop.example/", tags: [{ name: "prod", value: "eu" }] });
    await create({ scope: "tag:prod:eu" });
    await app.as(bob).post("/api/reports/links", { period: "week", scope: "tag:prod" });
    const [tag] = (await app.as(bob).get("/api/tags")).body.tags;
    await app.as(bob).put(`/api/tags/${tag?.id}`, { name: "live" });
    const { schedules } = (await app.as(bob).get(PATH)).body;
    const { links } = (await app.as(bob).get("/api/reports/links")).body;
    expect([...schedules, ...links].map(({ scope }) => scope)).toEqual(["tag:live:eu", "tag:live"]);
  });

  it("is refused with what is wrong", async () => {
    const { app, alice, bob, create } = await setUp();
    const theirs = await addMonitor(app, alice, { url: "https://shop.example/" });
    const routingKey = "a".repeat(32);
    const incidents = await addChannel(app, bob, { name: "pd", type: "pagerduty", config: { routingKey } });
    for (const [path, body] of [
      ["every", { every: "day" }],
      ["hour", { hour: 24 }],
      ["hour", { hour: -1 }],
      ["hour", { hour: 8.5 }],
      ["zone", { zone: "Mars/Olympus" }],
      ["scope", { scope: "tag:" }],
      ["target", { target: 101 }],
      ["channels", { channels: [] }],
      ["channels", { channels: [999] }],
      ["channels", { channels: [0] }],
      ["channels", { channels: [incidents] }],
      ["channels", { channels: Array.from({ length: 11 }, (_, index) => index + 1) }],
    ] as const) {
      const answer = await create(body);
      expect([JSON.stringify(body), answer.status, answer.body.errors?.[0]?.path]).toEqual([
        JSON.stringify(body),
        422,
        path,
      ]);
    }
    expect((await create({ scope: `monitor:${theirs}` })).body).toMatchObject({ code: "not_found" });
    expect((await create({ scope: "agent:999" })).body).toMatchObject({ code: "not_found" });
  });

  it("is one of ten at most of each user, also when many are created at once", async () => {
    const { create } = await setUp();
    const answers = await Promise.all(Array.from({ length: MAX_REPORT_SCHEDULES + 5 }, () => create()));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill("too_many_report_schedules"));
  });

  it("is sent on request, once a minute, unless no channel can be used", async () => {
    const { app, bob, chat, create } = await setUp();
    const { id } = (await create()).body.schedule;
    const send = async () => {
      const { status, body } = await app.as(bob).post(`${PATH}/${id}/send`);
      return body.code ?? String(status);
    };
    expect([await send(), await send()]).toEqual(["200", "rate_limited"]);
    await app.clock.advance(MINUTE);
    expect(await send()).toBe("200");
    const { schedules } = (await app.as(bob).get(PATH)).body;
    expect(schedules[0]).toMatchObject({
      next_at: "2026-01-19T08:00:00.000Z",
      last: { from: "2026-01-05T00:00:00.000Z", deliveries: [{ state: "pending" }] },
    });
    await app.as(bob).delete(`/api/notifications/channels/${chat}`);
    await app.clock.advance(MINUTE);
    expect(await send()).toBe("no_report_channels");
  });
});
