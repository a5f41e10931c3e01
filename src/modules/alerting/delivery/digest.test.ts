import { describe, expect, it } from "bun:test";
import { hashSecret } from "../../../core/secrets";
import { instances } from "../../../db/schema";
import { DAY, MINUTE, SECOND } from "../../../shared/limits";
import { START, until } from "../../../testing/clock";
import { enrollAgent, reportOf, sampleAt } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  resendChannel,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { runsSlowTests } from "../../../testing/repetitions";
import { dingtalk } from "../../../testing/servers/channel-providers";
import { resendError, telegramError } from "../../../testing/servers/providers";
import { pagerduty } from "../../../testing/servers/push-providers";
import { ingest } from "../../servers/ingest/ingest";
import { createDelivery } from "./deliver";

type Options = Parameters<typeof createAlertApp>[0];

/** A hub whose alerts wait ten seconds for others, with monitors of bob's. */
const setUp = async (options: Options = {}) => {
  const env = { ALERT_GROUP_SECONDS: "10", PRIVATE_TARGETS: "all", ...options.env };
  const { app, bob, delivery, ...rest } = await createAlertApp({ ...options, env });
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const addMonitors = async (channels: number[], count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await addWatchedMonitor(app, bob, channels, `shop-${ids.length + 1}`));
    return ids;
  };
  const fail = async (ids: readonly number[]) => {
    for (const id of ids) await recordDown(app, id);
    await delivery.run();
  };
  const restore = async (ids: readonly number[]) => {
    for (const id of ids) await recover(app, id);
    await delivery.run();
  };
  /** Lets seconds pass, with a run of deliveries in each. */
  const pass = async (seconds: number, end: () => boolean = () => false) => {
    for (let second = 0; second < seconds && !end(); second++) {
      await app.clock.advance(SECOND);
      await runDeliveries(app, delivery);
    }
  };
  return { app, bob, delivery, addMonitors, fail, restore, pass, ...rest };
};

describe("alerts within the grouping time", () => {
  it("become one message for each channel, and so do their recoveries", async () => {
    const { app, bob, addMonitors, fail, restore, pass, telegram, resend } = await setUp();
    const robot = dingtalk(app.clock.now);
    const channels = [
      await addChannel(app, bob),
      await addChannel(app, bob, resendChannel()),
      await addChannel(app, bob, { name: "robot", type: "dingtalk", config: robot.config }),
    ];
    const ids = await addMonitors(channels, 50);
    await fail(ids);
    await pass(1);
    expect([telegram.messages.length, resend.mails.length, robot.shown.length]).toEqual([0, 0, 0]);
    await pass(1);
    await app.clock.advance(MINUTE);
    await restore(ids);
    await pass(10);
    const counts = ["🔴 50 down", "🟢 50 up again"];
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(counts);
    expect(resend.mails.map(({ subject }) => subject)).toEqual(counts);
    expect(robot.shown.map((text) => text.split("\n")[0])).toEqual(counts);
    const acknowledge = /^Acknowledge all 50: http.*\/acknowledge\/\d+\?t=.*&more=1(-1){48}$/m;
    expect(telegram.texts().map((text) => acknowledge.test(text))).toEqual([true, false]);
    const rows = await readDeliveries(app);
    expect(rows.every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
    const first = rows.find(({ channelId }) => channelId === channels[0]);
    expect(rows.filter(({ digestId }) => digestId === first?.id)).toHaveLength(50);
  });

  it("are sent one by one where there are two, and where grouping is off", async () => {
    const two = await setUp();
    await two.fail(await two.addMonitors([await addChannel(two.app, two.bob)], 2));
    await two.pass(10);
    expect(two.telegram.messages).toHaveLength(2);
    const off = await setUp({ env: { ALERT_GROUP_SECONDS: "0" } });
    await off.fail(await off.addMonitors([await addChannel(off.app, off.bob)], 5));
    await off.pass(1);
    expect(off.telegram.messages).toHaveLength(5);
    expect((await readDeliveries(off.app)).every(({ digestId }) => digestId === null)).toBe(true);
  });

  it("are sent once two seconds have passed without another one", async () => {
    const { app, bob, addMonitors, fail, pass, telegram } = await setUp();
    const ids = await addMonitors([await addChannel(app, bob)], 4);
    for (const id of ids) {
      await fail([id]);
      await pass(1);
    }
    expect(telegram.messages).toEqual([]);
    await pass(1);
    expect(telegram.texts()[0]).toStartWith("🔴 4 down");
    expect((await readDeliveries(app)).map(({ endedAt }) => endedAt)).toEqual(ids.map(() => START + 5 * SECOND));
  });

  it("are never put into one message for PagerDuty, whose incidents they are", async () => {
    const pager = pagerduty();
    const { app, bob, addMonitors, fail, restore, pass } = await setUp({ env: { PROVIDER_ORIGINS: pager.origins } });
    const ids = await addMonitors(
      [await addChannel(app, bob, { name: "pager", type: "pagerduty", config: pager.config })],
      5,
    );
    await fail(ids);
    await pass(10);
    expect([pager.requests.length, pager.incidents.size]).toEqual([5, 5]);
    await restore(ids);
    await pass(10);
    expect([pager.requests.length, pager.incidents.size]).toEqual([10, 0]);
  });
});

describe("a message about several alerts", () => {
  it("is tried again as a whole, with the same key, while nothing was added", async () => {
    let fine = false;
    const keys: string[] = [];
    const { app, bob, addMonitors, fail, pass, resend } = await setUp({
      resend: () => (fine ? null : resendError(500, "internal", "Oops")),
    });
    await fail(await addMonitors([await addChannel(app, bob, resendChannel())], 5));
    await pass(2);
    expect(await readDeliveries(app)).toMatchObject(
      Array(5).fill({ state: "pending", attempts: 1, error: "500: Oops" }),
    );
    fine = true;
    await pass(5);
    keys.push(...resend.requests.map(({ headers }) => headers["idempotency-key"] ?? ""));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(resend.mails.map(({ subject }) => subject)).toEqual(["🔴 5 down"]);
    expect(await readDeliveries(app)).toMatchObject(Array(5).fill({ state: "sent", attempts: 2, error: null }));
  });

  it("takes in what was added while it waited for its next attempt", async () => {
    let fine = false;
    const { app, bob, addMonitors, fail, restore, pass, telegram } = await setUp({
      telegram: () => (fine ? null : telegramError(500, "Oops")),
    });
    const ids = await addMonitors([await addChannel(app, bob)], 5);
    await fail(ids.slice(0, 4));
    await pass(10);
    await fail(ids.slice(4));
    fine = true;
    telegram.messages.length = 0;
    // A recovery does not wait for the next attempt of the alert that it ends.
    await restore(ids.slice(0, 1));
    await pass(10);
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 4 down · 🟢 1 up again"]);
  });

  it("is that of the last event where all are of one monitor", async () => {
    let fine = false;
    const { app, bob, delivery, addMonitors, fail, restore, pass, telegram } = await setUp({
      telegram: () => (fine ? null : telegramError(500, "Oops")),
    });
    const ids = await addMonitors([await addChannel(app, bob)], 1);
    await fail(ids);
    await pass(10);
    for (const change of [restore, fail]) {
      await app.clock.advance(1);
      await change(ids);
      await runDeliveries(app, delivery);
    }
    fine = true;
    telegram.messages.length = 0;
    await pass(10);
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 shop-1 is down"]);
    expect((await readDeliveries(app)).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  });

  it("waits for the pause that its provider asks for, with everything else of the channel", async () => {
    let pauses = 1;
    const { app, bob, addMonitors, fail, pass, telegram } = await setUp({
      telegram: () => (pauses-- > 0 ? telegramError(429, "Too Many Requests", { retry_after: 60 }) : null),
    });
    const ids = await addMonitors([await addChannel(app, bob)], 5);
    await fail(ids.slice(0, 4));
    await pass(2);
    await fail(ids.slice(4));
    await pass(59);
    expect(telegram.messages).toHaveLength(1);
    await pass(1);
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 4 down", "🔴 5 down"]);
  });

  it("fails for all of its deliveries when the provider refuses it for good", async () => {
    const { app, bob, addMonitors, fail, pass } = await setUp({
      telegram: () => telegramError(403, "Forbidden: bot was kicked"),
    });
    await fail(await addMonitors([await addChannel(app, bob)], 3));
    await pass(10);
    expect(await readDeliveries(app)).toMatchObject(
      Array(3).fill({ state: "failed", attempts: 1, error: "403: Forbidden: bot was kicked" }),
    );
    expect(app.deps.meters.deliveries.failed).toBe(3);
  });

  it("is tried again as a whole when there is no answer", async () => {
    const { app, bob, addMonitors, fail, pass } = await setUp({ env: { TELEGRAM_API_URL: "http://127.0.0.1:1" } });
    await fail(await addMonitors([await addChannel(app, bob)], 3));
    await pass(3);
    const waiting = { state: "pending", attempts: 1, errorCode: "no_answer", nextAttemptAt: START + 7 * SECOND };
    expect(await readDeliveries(app)).toMatchObject(Array(3).fill(waiting));
    await pass(4);
    expect(await readDeliveries(app)).toMatchObject(Array(3).fill({ state: "pending", attempts: 2 }));
  });

  it.if(runsSlowTests)("is given up a day after each of its deliveries was due", async () => {
    const { app, bob, addMonitors, fail, delivery } = await setUp({ telegram: () => telegramError(500, "Oops") });
    await fail(await addMonitors([await addChannel(app, bob)], 3));
    while (app.clock.now() < START + DAY + MINUTE) {
      await app.clock.advance(MINUTE);
      await runDeliveries(app, delivery);
    }
    expect(await readDeliveries(app)).toMatchObject(Array(3).fill({ state: "failed", nextAttemptAt: null }));
  });
});

describe("a message about several alerts whose instance is killed", () => {
  it("is sent again as a whole, with the same key, by the next one", async () => {
    const gate = Promise.withResolvers<void>();
    const { app, bob, addMonitors, fail, resend } = await setUp({
      resend: ({ number }) => (number === 1 ? gate.promise.then(() => resendError(500, "internal", "Oops")) : null),
    });
    await fail(await addMonitors([await addChannel(app, bob, resendChannel())], 5));
    await app.clock.advance(10 * SECOND);
    const killed = createDelivery({ ...app.deps, instance: "killed" });
    await killed.run();
    await until(() => resend.requests.length === 1, "the request");
    expect(await readDeliveries(app)).toMatchObject(Array(5).fill({ claimedBy: "killed", state: "pending" }));
    await app.db.update(instances).set({ seenAt: 0 });
    const next = createDelivery({ ...app.deps, instance: "next" });
    await runDeliveries(app, next);
    gate.resolve();
    await killed.stop();
    const keys = resend.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(resend.mails.map(({ subject }) => subject)).toEqual(["🔴 5 down"]);
    expect(await readDeliveries(app)).toMatchObject(Array(5).fill({ state: "sent", attempts: 1, claimedBy: null }));
  });
});

describe("two instances on one database", () => {
  it("send one message, and nothing else through its channel while it is sent", async () => {
    const gate = Promise.withResolvers<void>();
    const { app, bob, delivery, addMonitors, fail, telegram } = await setUp({
      telegram: ({ number }) => (number === 1 ? gate.promise.then(() => telegramError(500, "Oops")) : null),
    });
    const other = createDelivery({ ...app.deps, instance: "another" });
    const ids = await addMonitors([await addChannel(app, bob)], 6);
    await fail(ids.slice(0, 5));
    await app.clock.advance(10 * SECOND);
    await Promise.all([delivery.run(), other.run(), delivery.run(), other.run()]);
    await until(() => telegram.messages.length === 1, "the request");
    await fail(ids.slice(5));
    await app.clock.advance(10 * SECOND);
    await Promise.all([delivery.run(), other.run(), delivery.run(), other.run()]);
    expect(telegram.messages).toHaveLength(1);
    gate.resolve();
    await until(async () => (await readDeliveries(app)).every(({ claimedBy }) => claimedBy === null), "the answer");
    await app.clock.advance(5 * SECOND);
    await Promise.all([runDeliveries(app, delivery), runDeliveries(app, other)]);
    expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 5 down", "🔴 6 down"]);
    expect((await readDeliveries(app)).every(({ state }) => state === "sent")).toBe(true);
  });
});

it("parts of one server that change in one report are one message, without a grouping time", async () => {
  const { app, bob, pass, telegram } = await setUp({ env: { ALERT_GROUP_SECONDS: "0" } });
  const channel = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "global-agent", enabled: true, on_problem: true, channels: [channel] });
  const agent = await enrollAgent(app, bob);
  const report = async (state: string, count: number) => {
    await app.clock.advance(MINUTE);
    const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
    const containers = names.map((name, index) => ({ name, image: "x", state: index < count ? state : "running" }));
    const sent = reportOf([sampleAt(app.clock.now())], { containers });
    await ingest(app.deps, [{ keyHash: hashSecret(agent.key), report: sent }], app.clock.now());
    await pass(3);
  };
  for (const state of ["running", "exited", "running"]) await report(state, 12);
  expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual([
    "🟠 db-1: 12 parts are not working",
    "🟢 db-1: 12 parts work again",
  ]);
  await report("exited", 1);
  expect(telegram.texts().at(-1)).toStartWith("🟠 db-1: container app-0 is not working");
});
