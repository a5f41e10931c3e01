import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { mutes, outages } from "../../../db/schema";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readEvents,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { serveTelegram } from "../../../testing/servers/providers";
import { markOfflineServers } from "../../servers/ingest/offline";
import { createDelivery } from "../delivery/deliver";

const DOWN = "🔴 shop 无法访问";
const UP = "🟢 shop 已恢复";

const setUp = async () => {
  const made = await createAlertApp();
  const { app, bob, telegram } = made;
  const channel = await addChannel(app, bob);
  const shop = await addWatchedMonitor(app, bob, [channel]);
  let delivery = made.delivery;
  const path = `/api/monitors/${shop}/mute`;
  const steps = {
    down: () => recordDown(app, shop),
    up: () => recover(app, shop),
    /** Until the next recovery. */
    "mute until up": () => app.as(bob).post(path, { until_recovery: true }),
    "mute 10": () => app.as(bob).post(path, { minutes: 10 }),
    "mute for good": () => app.as(bob).post(path, {}),
    unmute: () => app.as(bob).delete(path),
    "wait 10": () => app.clock.advance(10 * MINUTE),
    restart: async () => {
      await delivery.stop();
      delivery = createDelivery(app.deps);
    },
  };
  type Step = keyof typeof steps;
  /** Takes a step each minute, and returns what has been sent since the last call. */
  const play = async (...names: Step[]) => {
    const before = telegram.messages.length;
    for (const name of names) {
      await app.clock.advance(MINUTE);
      await steps[name]();
      await runDeliveries(app, delivery);
    }
    return telegram
      .texts()
      .slice(before)
      .map((text) => text.split("\n")[0]);
  };
  const run = () => runDeliveries(app, delivery);
  const states = async () =>
    (await readDeliveries(app)).map(({ state, error }) => [state, error].filter(Boolean).join(": "));
  return { ...made, channel, shop, play, run, states, isMuted: async () => (await app.db.$count(mutes)) > 0 };
};

/** A server of bob's with a rule, on a hub whose waits end at once. */
const setUpServer = async (rule: object) => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin } });
  const { bob } = await app.people();
  const channel = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "global-agent", ...rule, channels: [channel] });
  const agent = await enrollAgent(app, bob);
  const delivery = createDelivery(app.deps);
  let seen = 0;
  /** The titles of messages since the last call, sorted: events of one report have no order. */
  const sent = async () => {
    await runDeliveries(app, delivery);
    const titles = telegram
      .texts()
      .slice(seen)
      .map((text) => text.split("\n")[0]);
    seen += titles.length;
    return titles.toSorted();
  };
  /** One report a minute, of CPU and memory in percent. */
  const report = async (...figures: [cpu: number, memory: number][]) => {
    for (const [cpu, used] of figures) {
      await app.clock.advance(MINUTE);
      await agent.report([sampleAt(app.clock.now(), { cpu, memory: { total: 100, used } })]);
    }
    return sent();
  };
  const mute = (body: object) => app.as(bob).post(`/api/agents/${agent.id}/mute`, body);
  return { app, mute, report, sent, isMuted: async () => (await app.db.$count(mutes)) > 0 };
};

describe("while a target is muted", () => {
  it("its events are stored with deliveries that say why they were not sent, and those of other targets are sent", async () => {
    const { app, bob, play, channel, telegram, states, run } = await setUp();
    const blog = await addWatchedMonitor(app, bob, [channel], "blog");
    expect(await play("mute for good", "down", "up", "down")).toEqual([]);
    expect((await readEvents(app)).map(({ kind }) => kind)).toEqual(["down", "recovery", "down"]);
    expect(await states()).toEqual(Array(3).fill("withheld: it was muted"));
    await recordDown(app, blog);
    await run();
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 blog 无法访问"]);
    const { body } = await app.as(bob).get("/api/notifications/history?limit=2");
    expect(body.events[1]?.deliveries).toMatchObject([{ state: "withheld", error_code: "muted", attempts: 0 }]);
  });

  it("no delivery is stored of events that would not have been sent", async () => {
    const { app, bob, play, states, channel } = await setUp();
    await saveRule(app, bob, { target_type: "global-monitor", on_down: false, channels: [channel] });
    expect(await play("mute for good", "down")).toEqual([]);
    expect(await states()).toEqual([]);
  });

  it("a restart changes nothing", async () => {
    const { play } = await setUp();
    expect(await play("mute 10", "restart", "down", "restart", "up", "restart")).toEqual([]);
    expect(await play("mute until up", "down", "restart")).toEqual([]);
    expect(await play("restart", "up")).toEqual([UP]);
  });
});

describe("a mute until recovery", () => {
  it("ends with the recovery, which is sent", async () => {
    const { play, isMuted } = await setUp();
    expect(await play("down", "mute until up")).toEqual([DOWN]);
    expect(await isMuted()).toBe(true);
    expect(await play("down", "up")).toEqual([UP]);
    expect(await isMuted()).toBe(false);
    expect(await play("down", "up")).toEqual([DOWN, UP]);
  });

  it("ends with the recovery also while a certificate of the target expires soon", async () => {
    const { app, bob, shop, play } = await setUp();
    const certificate = { ...madeBy(bob), targetType: "monitor", targetId: shop, kind: "certificate" } as const;
    await app.db.insert(outages).values({ ...certificate, startedAt: app.clock.now() });
    await play("down", "mute until up");
    expect(await play("up", "down")).toEqual([UP, DOWN]);
  });

  it("of a target that is up withholds its next outage", async () => {
    const { play } = await setUp();
    expect(await play("up", "mute until up", "down")).toEqual([]);
    expect(await play("up", "down")).toEqual([UP, DOWN]);
  });

  it("ends with a recovery that no rule selects", async () => {
    const { app, bob, play, channel, isMuted } = await setUp();
    await saveRule(app, bob, { target_type: "global-monitor", on_recovery: false, channels: [channel] });
    expect(await play("down", "mute until up", "up")).toEqual([DOWN]);
    expect(await isMuted()).toBe(false);
  });

  it("ends before what follows in the same batch of events", async () => {
    const { app, shop, play, telegram, run } = await setUp();
    await play("down", "mute until up");
    // The hub plans them together, and finds the target down again.
    for (const step of [recover, recordDown]) {
      await app.clock.advance(SECOND);
      await step(app, shop);
    }
    await run();
    expect(telegram.messages).toHaveLength(1);
    expect(await play("up", "down")).toEqual([UP, DOWN]);
  });

  it("of a server lasts until its last outage has ended", async () => {
    const { mute, report, isMuted } = await setUpServer({ on_cpu_threshold: true, on_memory_threshold: true });
    expect(await report([95, 95], [95, 95])).toEqual(["🟠 db-1：CPU 使用率过高", "🟠 db-1：内存使用率过高"]);
    await mute({ until_recovery: true });
    expect(await report([10, 95], [10, 95])).toEqual([]);
    expect(await isMuted()).toBe(true);
    expect(await report([10, 10], [10, 10])).toEqual(["🟢 db-1：内存使用率恢复正常"]);
    expect(await isMuted()).toBe(false);
  });
});

describe("when a mute ends at its time or by a call", () => {
  it("an outage that began during it is reported, with its own time", async () => {
    const { play, isMuted, states, telegram } = await setUp();
    expect(await play("mute 10", "down")).toEqual([]);
    expect(await play("wait 10")).toEqual([DOWN]);
    expect(telegram.texts()[0]).toContain("12:22:00");
    expect(await isMuted()).toBe(false);
    expect(await states()).toEqual(["sent"]);
    expect(await play("up")).toEqual([UP]);
  });

  it("an outage that ended during it is reported as over", async () => {
    const { play } = await setUp();
    expect(await play("down", "mute 10", "up")).toEqual([DOWN]);
    expect(await play("wait 10")).toEqual([UP]);
  });

  it("nothing is reported that is as before", async () => {
    const { play, isMuted } = await setUp();
    expect(await play("mute 10", "down", "up", "wait 10")).toEqual([]);
    expect(await play("down", "mute 10", "up", "down", "wait 10")).toEqual([DOWN]);
    expect(await isMuted()).toBe(false);
    expect(await play("mute 10", "wait 10", "wait 10", "up")).toEqual([UP]);
  });

  it("the same holds for a mute that is ended or changed by a call", async () => {
    const { play } = await setUp();
    expect(await play("mute for good", "down", "unmute")).toEqual([DOWN]);
    expect(await play("mute 10", "up", "mute for good", "wait 10")).toEqual([]);
    expect(await play("unmute")).toEqual([UP]);
    expect(await play("unmute", "mute until up", "down", "unmute", "up")).toEqual([DOWN, UP]);
  });

  it("nothing is sent of a state that a later event has already announced", async () => {
    const { app, shop, play, telegram, run } = await setUp();
    await play("mute 10", "down");
    // The hub was not running when the mute ended.
    await app.clock.advance(HOUR);
    await recover(app, shop);
    await run();
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual([UP]);
  });

  it("each state and figure of a server is reported by itself", async () => {
    const { app, mute, report, sent } = await setUpServer({ on_cpu_threshold: true, on_memory_threshold: true });
    await report([10, 10]);
    await mute({ minutes: 30 });
    expect(await report([95, 95], [95, 95], [10, 95], [10, 95])).toEqual([]);
    await app.clock.advance(10 * MINUTE);
    await markOfflineServers(app.deps);
    expect(await sent()).toEqual([]);
    await app.clock.advance(HOUR);
    expect(await sent()).toEqual([expect.stringMatching(/^🔴 服务器 db-1 已 .*没有上报$/), "🟠 db-1：内存使用率过高"]);
  });

  it("it is deleted, and a target has at most one", async () => {
    const { app, play, isMuted } = await setUp();
    await play("mute 10", "mute 10", "mute until up", "mute 10");
    expect(await app.db.$count(mutes)).toBe(1);
    await play("wait 10");
    expect(await isMuted()).toBe(false);
  });
});
