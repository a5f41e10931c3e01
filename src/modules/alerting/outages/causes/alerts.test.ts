import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { monitorStates } from "../../../../db/schema";
import { checkError, timeoutError } from "../../../../shared/check-error";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { START, until } from "../../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../../testing/fixtures/agents";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../../../testing/fixtures/alerts";
import { finishChecks } from "../../../../testing/fixtures/engine";
import { addMonitor, recordOnly } from "../../../../testing/fixtures/monitors";
import { serveTelegram } from "../../../../testing/servers/providers";
import { serveStatus } from "../../../../testing/servers/targets";
import { markOfflineServers } from "../../../servers/ingest/offline";
import { createDelivery } from "../../delivery/deliver";

/** Waits for a report to be stored: the hub waits for others to store with it. */
const advanceUntil = async ({ clock }: Pick<TestApp, "clock">, stored: Promise<unknown>): Promise<void> => {
  let isStored = false;
  void stored.then(() => {
    isStored = true;
  });
  await until(async () => {
    await clock.advance(1);
    return isStored;
  }, "the report to be stored");
};

it("an alert names the server that fell silent while the alert waited for others", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp({ env: { ALERT_GROUP_SECONDS: "10" } });
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
  const agent = await enrollAgent(app, bob, { hostname: "web-1.example", name: "web-1" });
  await advanceUntil(app, agent.report([sampleAt(START)], { hostname: "web-1.example" }));
  const id = await addMonitor(app, bob, { url: "https://web-1.example/" });
  const before = START + 85 * SECOND;
  app.clock.set(before);
  await recordOnly(app, id, [{ at: before, up: false, error: checkError("refused") }]);
  await runDeliveries(app, delivery);
  expect(telegram.messages).toEqual([]);
  app.clock.set(before + 10 * SECOND);
  await runDeliveries(app, delivery);
  expect(telegram.messages[0]?.text).toContain(
    "\nServer web-1 has not reported since 12:20:00 UTC, so it is probably down\n",
  );
});

it("an alert about a silent server says that its monitors still answer", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const channels = [await addChannel(app, bob)];
  await saveRule(app, bob, { target_type: "global-agent", channels, on_offline: true });
  const agent = await enrollAgent(app, bob, { hostname: "web-1.example", name: "web-1" });
  const addresses = ["203.0.113.7", "127.0.0.1"];
  const sent = agent.report([sampleAt(START)], { hostname: "web-1.example", ip_addresses: addresses });
  await advanceUntil(app, sent);
  const add = async (host: string, at: number) => {
    const id = await addMonitor(app, bob, { url: `https://${host}/` });
    await recordOnly(app, id, [{ at, up: true }]);
  };
  await add("web-1.example", START + 2 * MINUTE);
  await add("203.0.113.7", START + MINUTE);
  // Before the last report, and on another machine.
  await add("web-1.example", START - MINUTE);
  await add("127.0.0.1", START + MINUTE);
  app.clock.set(START + 10 * MINUTE);
  await markOfflineServers(app.deps);
  await runDeliveries(app, delivery);
  const lines = telegram.texts()[0]?.split("\n") ?? [];
  expect(lines[0]).toStartWith("🔴 No report from server web-1 for 3 minutes");
  expect(lines[2]).toBe("2 of its 3 monitors still answer: probably the agent stopped, not the machine.");
});

it("the last of three alerts about one address names it", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
  await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
  for (const [index, host] of ["a.example", "b.example", "c.example"].entries()) {
    const id = await addMonitor(app, bob, { url: `https://${host}/` });
    app.clock.set(START + index * SECOND);
    const failed = { up: false, error: checkError("refused"), address: "203.0.113.7" };
    await recordOnly(app, id, [{ at: app.clock.now(), ...failed }]);
    await runDeliveries(app, delivery);
  }
  expect(telegram.messages.map(({ text }) => text.includes("可能是同一原因：203.0.113.7 上有 3 个监控故障"))).toEqual([
    false,
    false,
    true,
  ]);
});

it("an alert names the address of outages of which one begins while the other is planned", async () => {
  const { app, bob, telegram } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
  const planned = await addMonitor(app, bob, { url: "https://a.example/" });
  const later = [
    await addMonitor(app, bob, { url: "https://b.example/" }),
    await addMonitor(app, bob, { url: "https://c.example/" }),
  ];
  const failed = { at: START, up: false, error: checkError("refused"), address: "203.0.113.7" };
  let isFirst = true;
  const transact: typeof app.db.transact = async (work) => {
    if (isFirst) for (const id of later) await recordOnly(app, id, [failed]);
    isFirst = false;
    return app.db.transact(work);
  };
  await recordOnly(app, planned, [failed]);
  await runDeliveries(app, createDelivery({ ...app.deps, db: Object.assign(Object.create(app.db), { transact }) }));
  expect(telegram.messages.at(-1)?.text).toContain("203.0.113.7");
});

it("50 monitors of one listener that stops are one message within 20 seconds, and one when it is back", async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, ALERT_GROUP_SECONDS: "10" } });
  const { alice } = await app.people();
  await app.as(alice).put("/api/auth/language", { language: "en-US" });
  await saveRule(app, alice, { target_type: "global-monitor", channels: [await addChannel(app, alice)] });
  const delivery = createDelivery(app.deps);
  const target = serveStatus();
  for (let index = 0; index < 50; index++)
    await addMonitor(app, alice, {
      url: `${target.url}${index}`,
      name: `m${index}`,
      interval: index === 0 ? 60 : 86_400,
    });
  const countOf = (status: "up" | "down") => app.db.$count(monitorStates, eq(monitorStates.status, status));
  const second = async () => {
    await app.clock.advance(SECOND);
    await finishChecks(app);
    await runDeliveries(app, delivery);
  };
  await until(async () => {
    await second();
    return (await countOf("up")) === 50;
  });
  for (const [status, state, title] of [
    [503, "down", "🔴 50 down"],
    [200, "up", "🟢 50 up again"],
  ] as const) {
    telegram.messages.length = 0;
    target.answer.status = status;
    await until(async () => {
      await second();
      return (await countOf(state)) > 0;
    });
    for (let passed = 0; passed < 20; passed++) await second();
    expect(await countOf(state)).toBe(50);
    expect(telegram.messages.map(({ text }) => text.split("\n")[0])).toEqual([title]);
    // This machine explains nothing.
    expect(telegram.messages[0]?.text).not.toContain("Probably");
  }
});

it("50 monitors of one host that time out are one message, although the first one was found 10 seconds before", async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, ALERT_GROUP_SECONDS: "10" } });
  const { bob } = await app.people();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
  let followed: number[] = [];
  const delivery = createDelivery(app.deps, { followed: async () => followed });
  const ids: number[] = [];
  for (let index = 0; index < 50; index++) ids.push(await addMonitor(app, bob, { url: "https://shop.example/" }));
  const fail = (some: readonly number[]) =>
    Promise.all(
      some.map((id) => recordOnly(app, id, [{ at: app.clock.now(), up: false, error: timeoutError(10, "connect") }])),
    );
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      await runDeliveries(app, delivery);
      await app.clock.advance(SECOND);
    }
    await runDeliveries(app, delivery);
  };
  const [first = 0] = ids;
  await fail([first]);
  followed = [first];
  await pass(12);
  expect(telegram.messages).toEqual([]);
  await fail(ids.slice(1));
  followed = [];
  await pass(3);
  expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual([
    "🔴 shop.example is probably down: all 50 monitors on it time out",
  ]);
});

it("an alert waits for the other monitors of its host for half a minute at most", async () => {
  const { app, bob, telegram } = await createAlertApp({ env: { ALERT_GROUP_SECONDS: "10" } });
  await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const delivery = createDelivery(app.deps, { followed: async () => [id] });
  await recordOnly(app, id, [{ at: START, up: false, error: checkError("refused") }]);
  for (let second = 0; second < 30; second++) {
    expect(telegram.messages).toEqual([]);
    app.clock.set(START + second * SECOND);
    await runDeliveries(app, delivery);
  }
  app.clock.set(START + 31 * SECOND);
  await runDeliveries(app, delivery);
  expect(telegram.messages).toHaveLength(1);
});
