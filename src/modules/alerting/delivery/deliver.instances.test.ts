import { describe, expect, it } from "bun:test";
import { and, inArray, isNotNull, sql } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../cluster/instances";
import { processDialect } from "../../../core/config";
import { madeBy, viewerOf } from "../../../db/owner";
import { deliveries, events, instances } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { START, until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  resendChannel,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { inTransaction, untilWaiting } from "../../../testing/fixtures/session";
import { deleteMonitor } from "../../monitors/change";
import { findMonitor } from "../../monitors/service";
import { createDelivery } from "./deliver";

/** Answers that wait until they are released. */
const held = () => {
  const gate = Promise.withResolvers<void>();
  const answer = () => gate.promise.then(() => Response.json({ ok: true, result: {} }));
  return { letGo: gate.resolve, answer };
};

describe("two instances on one database", () => {
  it("deliver each alert once", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    const other = createDelivery({ ...app.deps, instance: "another" });
    const chosen = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("other", "43"))];
    for (let count = 0; count < 15; count++)
      await recordDown(app, await addWatchedMonitor(app, bob, chosen, `shop-${count}`));
    await Promise.all([delivery.run(), other.run(), delivery.run(), other.run()]);
    await Promise.all([runDeliveries(app, delivery), runDeliveries(app, other)]);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(30);
    expect(new Set(telegram.messages.map(({ chat, text }) => chat + text)).size).toBe(30);
    expect((await readDeliveries(app)).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
    expect(await app.db.$count(events)).toBe(15);
  });

  it("do not send deliveries that the other has claimed", async () => {
    const gate = held();
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: gate.answer });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await delivery.run();
    await until(() => telegram.messages.length === 1, "the request");
    const other = createDelivery({ ...app.deps, instance: "another" });
    for (let turn = 0; turn < 5; turn++) await other.run();
    gate.letGo();
    await runDeliveries(app, other);
    expect(telegram.messages).toHaveLength(1);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 1 }]);
  });
});

it("the claims of a dead instance are taken over after the timeout of instances", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
  await recordDown(app, id);
  await runDeliveries(app, delivery);
  telegram.messages.length = 0;
  await app.db.insert(instances).values({ id: "dying", seenAt: START });
  const claimed = { claimedBy: "dying", state: "pending", nextAttemptAt: START, endedAt: null } as const;
  await app.db.update(deliveries).set(claimed);
  await app.clock.advance(INSTANCE_TIMEOUT - 1);
  await delivery.run();
  expect(telegram.messages).toHaveLength(0);
  await app.clock.advance(1);
  await runDeliveries(app, delivery);
  expect(telegram.messages).toHaveLength(1);
});

describe("a slow provider", () => {
  it("delays no other channel, and gets at most eight requests at the same time", async () => {
    const gate = held();
    const { app, bob, delivery, telegram, resend } = await createAlertApp({ telegram: gate.answer });
    const slow = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("other", "43"))];
    const chosen = [...slow, await addChannel(app, bob, resendChannel())];
    for (let count = 0; count < 20; count++)
      await recordDown(app, await addWatchedMonitor(app, bob, chosen, `shop-${count}`));
    await delivery.run();
    await until(() => resend.mails.length === 20, "the mails");
    await delivery.run();
    await until(() => telegram.messages.length === 16, "the requests");
    // Only claimed deliveries are sent.
    expect(
      await app.db.$count(deliveries, and(isNotNull(deliveries.claimedBy), inArray(deliveries.channelId, slow))),
    ).toBe(16);
    expect(telegram.messages).toHaveLength(16);
    gate.letGo();
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(40);
  });
});

describe("stop", () => {
  it("waits for attempts in flight, records them, and starts no more", async () => {
    const gate = held();
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: gate.answer });
    const channel = await addChannel(app, bob);
    await recordDown(app, await addWatchedMonitor(app, bob, [channel]));
    await delivery.run();
    await until(() => telegram.messages.length === 1, "the request");
    const stopped = delivery.stop();
    await recordDown(app, await addWatchedMonitor(app, bob, [channel], "too late"));
    gate.letGo();
    await stopped;
    await delivery.run();
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", claimedBy: null }]);
    expect(telegram.messages).toHaveLength(1);
  });

  it("releases attempts that do not end in time, which are sent after the next start", async () => {
    const gate = held();
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: gate.answer });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await delivery.run();
    await until(() => telegram.messages.length === 1, "the request");
    const stopped = delivery.stop();
    await Bun.sleep(1);
    await app.clock.advance(3000);
    await stopped;
    expect(await readDeliveries(app)).toMatchObject([{ state: "pending", attempts: 0, claimedBy: null }]);
    gate.letGo();
    const next = createDelivery({ ...app.deps, instance: "next" });
    await runDeliveries(app, next);
    expect(telegram.messages).toHaveLength(2);
  });

  it("ends while the database is unavailable", async () => {
    const { app, delivery } = await createAlertApp();
    const { update } = app.db;
    app.db.update = () => {
      throw new Error("the connection was lost");
    };
    await delivery.stop();
    app.db.update = update;
    expect(app.logged.join("")).toInclude("failed to release deliveries");
  });
});

describe.if(processDialect === "postgres")("alerts of several instances", () => {
  it("are written by one instance at a time, without row locks on events while it waits", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    const chosen = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("other", "43"))];
    const ids = [
      await addWatchedMonitor(app, bob, chosen, "first"),
      await addWatchedMonitor(app, bob, chosen, "second"),
    ];
    for (const id of ids) await recordDown(app, id);
    const row = await findMonitor(app.deps, viewerOf(madeBy(bob)), ids[0]!);
    let running: Promise<unknown>[] = [];
    await inTransaction(app.db, async (run) => {
      for (const lock of lockAlerts) await run(lock);
      running = [delivery.run(), deleteMonitor(app.deps, row)];
      await untilWaiting(app.db, 2);
      // Neither of them holds a row lock on events while it waits.
      await run(sql`select 1 from events for update nowait`);
    });
    await Promise.all(running);
    await runDeliveries(app, delivery);
    expect((await readDeliveries(app)).map(({ state }) => state)).toEqual(["sent", "sent"]);
    expect(telegram.texts().filter((text) => text.includes("second"))).toHaveLength(2);
  });
});
