import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { recordDowntime, recordStop } from "../../cluster/downtime";
import { writeGaps } from "../../cluster/gaps";
import { events } from "../../db/schema";
import { countWatched } from "../../server/compose/views";
import { HOUR, MINUTE, SECOND } from "../../shared/limits";
import type { HubGapReason } from "../../shared/outages/unknown";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addChannel, PUBLIC_URL, runDeliveries, saveRule } from "../../testing/fixtures/alerts";
import { addHeartbeat } from "../../testing/fixtures/heartbeats";
import { addMonitor } from "../../testing/fixtures/monitors";
import { serveTelegram } from "../../testing/servers/providers";
import { createDelivery } from "./delivery/deliver";
import { createGapNotice } from "./gaps";

/** A hub that watches a monitor, a heartbeat and a server, with a channel of its administrator and one of bob. */
const setUp = async (language = "en-US") => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, PUBLIC_URL } });
  const { alice, bob } = await app.people();
  const delivery = createDelivery(app.deps);
  for (const [user, chatId] of [
    [alice, "1"],
    [bob, "2"],
  ] as const) {
    await app.as(user).put("/api/auth/language", { language });
    const config = { botToken: `123456:${"aBc-_".repeat(7)}`, chatId };
    const channel = await addChannel(app, user, { name: "chat", type: "telegram", config });
    await saveRule(app, user, { target_type: "global-monitor", channels: [channel] });
  }
  await addMonitor(app, bob, { url: "https://shop.example/" });
  await addMonitor(app, bob, { url: "https://old.example/", active: false });
  await addHeartbeat(app, bob);
  await (await enrollAgent(app, bob)).report([sampleAt(app.clock.now())]);
  const announce = createGapNotice(app.deps, () => countWatched(app.deps));
  return {
    app,
    alice,
    bob,
    gap: (from: number, to: number, reason: HubGapReason = "hub_offline") =>
      writeGaps(app.db, { ended: [{ from: START + from, to: START + to, reason }], open: null, now: START + to }),
    announce: async () => {
      const found = await announce();
      await runDeliveries(app, delivery);
      return found;
    },
    /** The messages about the hub: the monitor is checked as soon as it is created. */
    sent: () => telegram.messages.map(({ chat, text }) => `${chat}: ${text}`).filter((text) => !text.includes("shop")),
  };
};

it("administrators are told once of a gap of two minutes or more, when it is over", async () => {
  const { app, alice, bob, gap, announce, sent } = await setUp();
  app.clock.set(START + HOUR);
  await gap(0, 2 * MINUTE - SECOND);
  expect([await announce(), sent()]).toEqual([false, []]);
  await gap(10 * MINUTE, 22 * MINUTE);
  const other = createGapNotice(app.deps, () => countWatched(app.deps));
  const found = [await announce(), await other(), await announce()];
  expect(found).toEqual([true, false, false]);
  expect(sent()).toEqual([
    [
      "1: 🟠 Wakeful could watch nothing for 12 minutes",
      "From: Jan 15, 2026, 12:30:00 UTC",
      "Not watched: 1 monitor, 1 heartbeat, 1 server",
      "Reason: Wakeful's own network was down",
      "Watching again since Jan 15, 2026, 12:42:00 UTC",
      "https://watch.example/wakeful",
    ].join("\n"),
  ]);
  const feedOf = async (user: typeof bob) => (await app.as(user).get("/api/dashboard")).body.events;
  expect((await feedOf(bob)).filter(({ kind }) => kind === "unwatched")).toEqual([]);
  expect((await feedOf(alice)).filter(({ kind }) => kind === "unwatched")).toMatchObject([
    {
      kind: "unwatched",
      target_id: 0,
      target_name: "Wakeful",
      notified: ["chat"],
      gap: { from: "2026-01-15T12:30:00.000Z", to: "2026-01-15T12:42:00.000Z", reason: "hub_offline" },
    },
  ]);
});

it("the message is in the language of the administrator", async () => {
  const { app, gap, announce, sent } = await setUp("zh-CN");
  app.clock.set(START + HOUR);
  await gap(10 * MINUTE, 22 * MINUTE, "hub_overloaded");
  await announce();
  expect(sent()).toEqual([
    [
      "1: 🟠 Wakeful 的监控中断了 12 分钟",
      "开始时间：2026年1月15日 12:30:00 UTC",
      "未监控：1 个监控、1 个心跳、1 台服务器",
      "原因：控制台所在服务器暂停或过载",
      "恢复监控时间：2026年1月15日 12:42:00 UTC",
      "https://watch.example/wakeful",
    ].join("\n"),
  ]);
});

it("gaps that follow each other are one message, with the reason of the longest", async () => {
  const { app, gap, announce, sent } = await setUp();
  app.clock.set(START + HOUR);
  await gap(0, MINUTE, "hub_offline");
  await gap(MINUTE, 4 * MINUTE, "hub_stopped");
  await gap(4 * MINUTE + 5 * SECOND, 5 * MINUTE, "hub_overloaded");
  await announce();
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toInclude("for 5 minutes");
  expect(sent()[0]).toInclude("Reason: Wakeful was not running");
});

it("nothing is sent while a gap lasts, and a crash after it loses no message", async () => {
  const { app, announce, sent } = await setUp();
  await recordStop(app.deps);
  app.clock.set(START + 10 * MINUTE);
  // The start of a hub that is killed before its first job.
  await recordDowntime(app.deps);
  await writeGaps(app.db, { ended: [], open: { since: app.clock.now(), reason: "hub_offline" }, now: app.clock.now() });
  expect([await announce(), sent()]).toEqual([false, []]);
  await recordStop(app.deps);
  app.clock.set(START + 20 * MINUTE);
  const next = await createTestApp({ db: app.db, clock: app.clock });
  await recordDowntime(next.deps);
  expect(await createGapNotice(next.deps, () => countWatched(next.deps))()).toBe(true);
  await announce();
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toInclude("for 20 minutes");
});

it("an installation without channels stores the event and sends nothing", async () => {
  const app = await createTestApp();
  await app.people();
  app.clock.set(START + HOUR);
  await writeGaps(app.db, {
    ended: [{ from: START, to: START + 5 * MINUTE, reason: "hub_stopped" }],
    open: null,
    now: START,
  });
  await createGapNotice(app.deps, () => countWatched(app.deps))();
  expect(await app.db.$count(events, eq(events.kind, "hub_unwatched"))).toBe(1);
});
