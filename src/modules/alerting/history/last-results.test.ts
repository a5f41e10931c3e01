import { expect, it } from "bun:test";
import { deliveries } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  recover,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { telegramError } from "../../../testing/servers/providers";

it("a channel has its last result: when it was sent, or why it was given up", async () => {
  let status = 200;
  const { app, bob, alice, delivery } = await createAlertApp({
    telegram: () => (status === 200 ? null : telegramError(status, "Forbidden: bot was blocked")),
  });
  const chat = await addChannel(app, bob);
  const shop = await addWatchedMonitor(app, bob, [chat]);
  const last = async (reader = bob) =>
    (await app.as(reader).get("/api/notifications")).body.data.channels[0]?.last_result;
  expect(await last()).toBeNull();
  await recordDown(app, shop);
  await runDeliveries(app, delivery);
  const sentAt = isoTime(app.clock.now());
  const nothing = { error: null, error_code: null, error_detail: null };
  expect(await last()).toEqual({ state: "sent", at: sentAt, ...nothing });
  status = 403;
  await app.clock.advance(60_000);
  await recover(app, shop);
  await runDeliveries(app, delivery);
  expect(await last()).toMatchObject({
    ...{ state: "failed", at: isoTime(app.clock.now()), error_code: "rejected" },
    error: "403: Forbidden: bot was blocked",
  });
  status = 500;
  await app.clock.advance(60_000);
  await recordDown(app, shop);
  await delivery.run();
  await until(async () => (await last())?.state === "retrying", "the first attempt to fail");
  expect(await last()).toMatchObject({ at: isoTime(app.clock.now() + 5000), error_code: "rejected" });
  // The built-in channel is one of all administrators: each sees the messages of their own team.
  await app.db.update(deliveries).set({ channelId: 0 });
  expect((await last(alice)) ?? null).toBeNull();
  expect(await last()).toBeNull();
});
