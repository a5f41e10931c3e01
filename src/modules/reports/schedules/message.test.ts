import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { agentStates, agents, monitorStates } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { enrollAgent } from "../../../testing/fixtures/agents";
import {
  addChannel,
  createAlertApp,
  PUBLIC_URL,
  resendChannel,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { addOutage } from "../../../testing/fixtures/outages";
import { problemsOf } from "../../../testing/json-schema";
import { readDocument } from "../../../testing/openapi";
import { serveSmtp } from "../../../testing/servers/smtp";
import { serveWebhook } from "../../../testing/servers/webhook";
import { createDelivery } from "../../alerting/delivery/deliver";
import { readPageTargets } from "../../status-page/tagged";
import { createReportComposer } from "./message";

const DECEMBER = Date.parse("2025-12-01T00:00:00Z");

/** A hub in January with a shop that was down in December, a blog that was not, and a server with a contract. */
const setUp = async ({ hasTargets = true } = {}) => {
  const hub = await createAlertApp({ env: { PRIVATE_TARGETS: "all" } });
  const { app, bob } = hub;
  app.clock.set(Date.parse("2026-01-15T12:20:00Z"));
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const shop = hasTargets ? await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" }) : 0;
  if (hasTargets) {
    await addMonitor(app, bob, { url: "https://blog.example/", name: "blog" });
    await app.db.update(monitorStates).set({ firstCheckedAt: DECEMBER - DAY, status: "up" });
    const error = { errorCode: "status", errorDetail: { actual: 503, expected: "200" } } as const;
    const startedAt = DECEMBER + 11 * DAY;
    await addOutage(app, bob, { targetId: shop, startedAt, endedAt: startedAt + 2 * HOUR, ...error });
    await addOutage(app, bob, {
      targetId: shop,
      startedAt: startedAt + DAY,
      endedAt: startedAt + DAY + HOUR,
      ...error,
    });
    const { id: server } = await enrollAgent(app, bob, { hostname: "web-1" });
    await app.db.update(agentStates).set({ firstReportedAt: DECEMBER - DAY, status: "active" });
    const contract = { endsOn: "2026-02-10", price: 4.9, months: 1, currency: "CHF", note: "" };
    await app.db
      .update(agents)
      .set({ plan: { traffic: null, contract } })
      .where(eq(agents.id, server));
  }
  const delivery = createDelivery(app.deps, { composeReport: createReportComposer(app.deps, readPageTargets) });
  /** Creates a schedule, and sends its report of December. */
  const send = async (channel: object | number, body: object = {}) => {
    const id = typeof channel === "number" ? channel : await addChannel(app, bob, channel);
    const schedule = { every: "month", hour: 8, zone: "UTC", channels: [id], ...body };
    const { body: created, text } = await app.as(bob).post("/api/reports/schedules", schedule);
    if (!created.schedule) throw new Error(text);
    const answer = await app.as(bob).post(`/api/reports/schedules/${created.schedule.id}/send`);
    await runDeliveries(app, delivery);
    return { id: created.schedule.id as number, status: answer.status };
  };
  return { ...hub, shop, delivery, send };
};

describe("the message of a report", () => {
  it("has a title, five lines and a link in a chat, in the reader's language", async () => {
    const { app, bob, telegram, send } = await setUp();
    await send(telegramChannel(), { target: 99.9 });
    const link = `${PUBLIC_URL}/reports?from=2025-12-01&to=2025-12-31&target=99.9`;
    expect(telegram.messages.map(({ text }) => text.split("\n"))).toEqual([
      [
        "📊 Report, December 2025: uptime 99.87%",
        "Uptime: 99.87%, target 99.9% missed, 15 min over, the month before 100.00%",
        "Outages: 2, down for 3 h in all, longest 2 h (shop)",
        "Lowest uptime: shop 99.60%; worst day Dec 12, 2025 with 2 h",
        "Ends soon: contract of web-1 on Feb 10, 2026",
        "Response times: –",
        link,
      ],
    ]);
    await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
    await send(telegramChannel("phone"));
    expect(telegram.messages[1]?.text.split("\n").slice(0, 6)).toEqual([
      "📊 2025年12月报告：可用率 99.87%",
      "可用率：99.87%，前一个月 100.00%",
      "故障：2 次，共中断 3 小时，最长 2 小时（shop）",
      "可用率最低：shop 99.60%；2025年12月12日中断最久，共 2 小时",
      "即将到期：web-1 的合约（2026年2月10日）",
      "响应时间：–",
    ]);
  });

  it("says so when nothing was down, and when nothing was watched", async () => {
    const { app, bob, telegram, shop, send } = await setUp();
    await send(telegramChannel(), { every: "week", scope: `monitor:${shop}` });
    expect(telegram.messages[0]?.text.split("\n").slice(0, 5)).toEqual([
      "📊 shop, Jan 5 – 11, 2026: uptime 100.00%",
      "Uptime: 100.00%, the week before 100.00%",
      "Outages: none",
      "It was never down",
      "Nothing ends in the next 60 days",
    ]);
    await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
    await send(telegramChannel("phone"), { every: "week" });
    expect(telegram.messages[1]?.text.split("\n")[0]).toBe("📊 2026年1月5日至1月11日报告：可用率 100.00%");
    const empty = await setUp({ hasTargets: false });
    await empty.send(telegramChannel());
    expect(empty.telegram.messages[0]?.text.split("\n").slice(0, 2)).toEqual([
      "📊 Report, December 2025: nothing was watched",
      "Uptime: nothing was watched",
    ]);
  });

  it("is the report itself as a mail, as a table for mail clients and as text", async () => {
    const { app, bob, resend, send } = await setUp();
    await addMonitor(app, bob, { url: "https://x.example/", name: '<b onclick="a">' });
    await send(resendChannel());
    const { subject, html, text } = resend.mails[0] as unknown as Record<string, string>;
    expect(subject).toBe("📊 Report, December 2025: uptime 99.87%");
    expect(html).toStartWith('<!doctype html><html lang="en-US">');
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\ssrc=/);
    expect(html).toContain("&lt;b onclick=&quot;a&quot;&gt;");
    const cells = [...(html ?? "").matchAll(/<tr>(<td class="rule.*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => cell.replace(/<[^>]+>/g, "")),
    );
    expect(cells.slice(0, 3)).toEqual([
      ["shop", "99.60%", "2", "3 h", "–"],
      ["blog", "100.00%", "0", "–", "–"],
      ["web-1", "100.00%", "0", "–", "–"],
    ]);
    expect(html).toContain("status 503, expected 200");
    expect(text).toContain("shop: Uptime 99.60% · Outages 2 · Down 3 h · p95 –");
    expect(text).toContain("- shop: Dec 12, 2025, for 2 h, status 503, expected 200");
  });

  it("of a thousand targets has those with the lowest uptime, and stays smaller than what mail clients cut off", async () => {
    const { app, bob, resend, send } = await setUp();
    for (let index = 0; index < 60; index++)
      await addMonitor(app, bob, { url: "https://x.example/", name: `${index} ${"名".repeat(60)}` });
    await send(resendChannel());
    const { html = "" } = resend.mails[0] as unknown as Record<string, string>;
    expect(html.match(/<tr><td class="rule/g)?.length).toBe(50);
    expect(html).toContain("… and 13 more in Wakeful.");
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });

  it("arrives by a mail server with both parts", async () => {
    const login = { user: "reports", password: "right password" };
    const { mails, port } = await serveSmtp({ login });
    const { send } = await setUp();
    const address = { from: "Wakeful <reports@wakeful.example>", to: "bob@shop.example" };
    await send({
      name: "mail",
      type: "smtp",
      config: { host: "127.0.0.1", port: String(port), security: "none", ...login, ...address },
    });
    expect(mails.map(({ to }) => to)).toEqual([["bob@shop.example"]]);
    expect(mails[0]?.headers["content-type"]).toStartWith("multipart/alternative");
    expect(mails[0]?.body).toContain("Content-Type: text/html");
  });

  it("has the figures for programs in a webhook, as the document describes them", async () => {
    const hook = serveWebhook();
    const { app, shop, send } = await setUp();
    const { id } = await send({ name: "hook", type: "webhook", config: { url: hook.url } }, { target: 99 });
    const [payload] = hook.accepted as Record<string, unknown>[];
    expect(hook.requests[0]?.headers).toMatchObject({ "x-wakeful-event": "report" });
    expect(payload).toMatchObject({
      event: "report",
      target: null,
      report: {
        ...{ schedule_id: id, every: "month", from: "2025-12-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
        ...{ scope: "all", targets: 3, outages: 2, down_seconds: 10_800, watched_seconds: 3 * 31 * 86_400 },
        objective: { percent: 99, met: true },
        worst_day: { date: "2025-12-12", down_seconds: 7200 },
        lowest: [{ target_type: "monitor", target_id: shop, target_name: "shop", outages: 2 }],
        upcoming: [{ kind: "contract", target_name: "web-1" }],
      },
    });
    const { components } = await readDocument(app);
    expect(problemsOf(payload, { $ref: "#/components/schemas/WebhookPayload" }, components.schemas)).toEqual([]);
  });

  it("is sent alone, and again later when its receiver fails", async () => {
    const statuses = [503, 503];
    const hook = serveWebhook({ answer: () => new Response("", { status: statuses.shift() ?? 200 }) });
    const { app, bob, delivery, send } = await setUp();
    await send({ name: "hook", type: "webhook", config: { url: hook.url } });
    const read = async () => (await app.as(bob).get("/api/reports/schedules")).body.schedules[0]?.last?.deliveries;
    expect(await read()).toMatchObject([{ state: "pending", attempts: 1, error_code: "rejected" }]);
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    expect(await read()).toMatchObject([{ state: "sent", attempts: 3, channel: { name: "hook" } }]);
    expect(new Set(hook.accepted.map(({ key }) => key)).size).toBe(1);
  });

  it("of an administrator is about everything that they see, and about their own where it is shared", async () => {
    const { app, alice, telegram, delivery } = await setUp();
    await app.as(alice).put("/api/auth/language", { language: "en-US" });
    const channel = await addChannel(app, alice);
    for (const share of [false, true]) {
      const schedule = { every: "month", hour: 8, channels: [channel], share };
      const { id } = (await app.as(alice).post("/api/reports/schedules", schedule)).body.schedule;
      await app.as(alice).post(`/api/reports/schedules/${id}/send`);
      await runDeliveries(app, delivery);
    }
    expect(telegram.messages.map(({ text }) => text.split("\n")[0])).toEqual([
      "📊 Report, December 2025: uptime 99.87%",
      "📊 Report, December 2025: nothing was watched",
    ]);
  });

  it("is in the history of notifications, and not in the feed of the dashboard", async () => {
    const { app, bob, send } = await setUp();
    const { id } = await send(telegramChannel());
    const client = app.as(bob);
    expect((await client.get("/api/notifications/history?by=outage")).body.events).toMatchObject([
      {
        ...{ kind: "report", outage_id: null, target: { id: 0 }, deliveries: [{ state: "sent" }] },
        report: { schedule_id: id, every: "month", scope: "all", zone: "UTC" },
      },
    ]);
    expect((await client.get("/api/dashboard")).body.events).toEqual([]);
  });

  it("fails for good when its monitor was deleted after it was due", async () => {
    const { app, bob, shop, delivery, send, telegram } = await setUp();
    const statuses = [503];
    const hook = serveWebhook({ answer: () => new Response("", { status: statuses.shift() ?? 200 }) });
    await send({ name: "hook", type: "webhook", config: { url: hook.url } }, { scope: `monitor:${shop}` });
    await app.as(bob).delete(`/api/monitors/${shop}`);
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    const { schedules } = (await app.as(bob).get("/api/reports/schedules")).body;
    expect(schedules[0]).toMatchObject({
      problem: "target_deleted",
      last: { deliveries: [{ state: "failed", error_code: "report_unavailable" }] },
    });
    expect([hook.accepted.length, telegram.messages.length]).toEqual([1, 0]);
  });
});

describe("the link of a report", () => {
  it("needs no session where its schedule shares it, until that is changed or deleted", async () => {
    const { app, bob, telegram, send } = await setUp();
    const { id } = await send(telegramChannel(), { share: true });
    const address = telegram.messages[0]?.text.split("\n").at(-1) ?? "";
    expect(address).toStartWith(`${PUBLIC_URL}/reports/shared/wks_`);
    const token = address.split("/").at(-1) ?? "";
    const open = (of = token) => app.anybody.get(`/api/reports/shared/${of}`);
    const { status, body, text } = await open();
    expect([status, body.report.from, body.report.scope]).toEqual([200, "2025-12-01T00:00:00.000Z", "link"]);
    for (const secret of ["503", "CHF", "shop.example"]) expect(text).not.toInclude(secret);
    for (const other of [`${token.slice(0, -1)}x`, token.replace("wks_", "wks_1"), "wks_1-1-1-1", ""])
      expect((await open(other)).status).toBe(404);
    const { channels } = (await app.as(bob).get("/api/reports/schedules")).body.schedules[0] as {
      channels: { id: number }[];
    };
    const save = (body: object) =>
      app.as(bob).put(`/api/reports/schedules/${id}`, {
        every: "month",
        hour: 8,
        zone: "UTC",
        channels: channels.map(({ id }) => id),
        ...body,
      });
    await save({ share: false });
    expect((await open()).status).toBe(404);
    await save({ share: true });
    expect((await open()).status).toBe(200);
    await save({ share: true, details: true });
    expect((await open()).status).toBe(404);
    await save({ share: true });
    await app.as(bob).delete(`/api/reports/schedules/${id}`);
    expect((await open()).status).toBe(404);
  });
});
