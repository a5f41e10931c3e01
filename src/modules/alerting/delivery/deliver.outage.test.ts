import { describe, expect, it } from "bun:test";
import { eq, isNotNull, sql } from "drizzle-orm";
import { channels, deliveries, instances } from "../../../db/schema";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START, until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { telegramError } from "../../../testing/servers/providers";
import { createDelivery } from "./deliver";

/** One alert that its provider has not accepted yet. */
const tryOnce = async () => {
  const made = await createAlertApp({ telegram: () => telegramError(500, "Oops") });
  const { app, bob, delivery } = made;
  const channel = await addChannel(app, bob);
  const id = await addWatchedMonitor(app, bob, [channel]);
  await recordDown(app, id);
  await runDeliveries(app, delivery);
  return { ...made, channel, id };
};

describe("a pending delivery", () => {
  const ended = { state: "failed", nextAttemptAt: null, claimedBy: null };

  it("fails when its channel is deleted", async () => {
    const { app, bob, channel } = await tryOnce();
    expect((await app.as(bob).delete(`/api/notifications/channels/${channel}`)).status).toBe(200);
    expect(await readDeliveries(app)).toMatchObject([{ ...ended, error: "the channel was deleted" }]);
  });

  it("fails when its channel is disabled, and the channel shows no problem", async () => {
    const { app, bob, channel, delivery, telegram } = await tryOnce();
    await app.as(bob).put(`/api/notifications/channels/${channel}`, { ...telegramChannel(), enabled: false });
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ ...ended, attempts: 1 }]);
    expect(
      await app.db.$count(channels, sql`${channels.id} = ${channel} and ${channels.problemCode} is not null`),
    ).toBe(0);
    expect(telegram.messages).toHaveLength(1);
  });

  it("is deleted with its monitor", async () => {
    const { app, bob, id, delivery, telegram } = await tryOnce();
    expect((await app.as(bob).delete(`/api/monitors/${id}`)).status).toBe(200);
    expect(await readDeliveries(app)).toEqual([]);
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
  });
});

describe("a database that is unavailable for a time", () => {
  it("causes no duplicate alert: sent alerts are recorded when it is available again", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    const { atomically } = app.db;
    await delivery.run();
    app.db.atomically = () => Promise.reject(new Error("the disk is full"));
    await until(() => app.logged.join("").includes("the disk is full"), "the record to fail");
    for (let second = 0; second < 30; second++) {
      await app.clock.advance(SECOND);
      await delivery.run();
    }
    app.db.atomically = atomically;
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 1, claimedBy: null }]);
  });

  it("leaves no stale claim: a delivery that could not be read is tried again", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    const { transact, select } = app.db;
    app.db.transact = async (body) => {
      const result = await transact(body);
      // From the claim on, nothing can be read.
      if ((await app.db.$count(deliveries, isNotNull(deliveries.claimedBy))) > 0)
        app.db.select = () => {
          throw new Error("the connection was lost");
        };
      return result;
    };
    await delivery.run();
    await until(() => app.logged.join("").includes("the connection was lost"), "the reading to fail");
    Object.assign(app.db, { transact, select });
    await until(async () => (await readDeliveries(app))[0]?.claimedBy === null, "the claim to be given back");
    await app.clock.advance(5 * SECOND);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 1 }]);
  });

  it("leaves no stale claim when the answer to a claim was lost", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await app.db.insert(instances).values({ id: app.deps.instance, seenAt: app.clock.now() });
    await createDelivery({ ...app.deps, instance: "another" }).run();
    await until(() => telegram.messages.length === 1, "the alert");
    await runDeliveries(app, delivery);
    const [{ id } = { id: 0 }] = await readDeliveries(app);
    const lost = { state: "pending", claimedBy: app.deps.instance, nextAttemptAt: START, endedAt: null } as const;
    await app.db.update(deliveries).set(lost).where(eq(deliveries.id, id));
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(2);
  });
});
