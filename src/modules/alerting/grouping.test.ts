import { expect, it } from "bun:test";
import { SECOND } from "../../shared/limits";
import { START, until } from "../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  runDeliveries,
} from "../../testing/fixtures/alerts";
import { webhookChannel } from "../../testing/fixtures/webhooks";
import { pagerduty } from "../../testing/servers/push-providers";
import { serveStatus } from "../../testing/servers/targets";

/** A hub whose alerts wait for others, at most ten seconds, and what happens in a second of it. */
const setUp = async (env: Record<string, string> = {}) => {
  const made = await createAlertApp({ env: { ALERT_GROUP_SECONDS: "10", PRIVATE_TARGETS: "all", ...env } });
  const { app, bob, delivery } = made;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const second = async (failing?: number) => {
    if (failing !== undefined) await recordDown(app, failing);
    await runDeliveries(app, delivery);
    await app.clock.advance(SECOND);
    await runDeliveries(app, delivery);
  };
  return { ...made, second };
};

it("alerts are sent ten seconds after the first one, although others follow each second", async () => {
  const { app, bob, second, telegram } = await setUp();
  const channel = await addChannel(app, bob);
  for (let count = 1; count <= 14; count++) await second(await addWatchedMonitor(app, bob, [channel], `shop-${count}`));
  for (let count = 0; count < 10; count++) await second();
  expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(["🔴 10 down", "🔴 4 down"]);
});

it("an alert is sent two seconds after a single failure, and at once through a webhook or PagerDuty", async () => {
  const [pager, receiver] = [pagerduty(), serveStatus()];
  const { app, bob, second, telegram } = await setUp({ PROVIDER_ORIGINS: pager.origins });
  const channels = [
    await addChannel(app, bob),
    await addChannel(app, bob, { name: "pager", type: "pagerduty", config: pager.config }),
    await addChannel(app, bob, webhookChannel(receiver.url)),
  ];
  await second(await addWatchedMonitor(app, bob, channels));
  await second();
  expect(telegram.messages).toHaveLength(1);
  expect((await readDeliveries(app)).map(({ channelType, dueAt }) => [channelType, dueAt])).toEqual([
    ["telegram", START + 2 * SECOND],
    ["pagerduty", START],
    ["webhook", START],
  ]);
});

it("an alert is sent when it has waited two seconds for others, without a run in the meantime", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp({ env: { ALERT_GROUP_SECONDS: "10" } });
  await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
  const announced = delivery.announce();
  await until(async () => {
    await app.clock.advance(telegram.messages.length === 0 ? SECOND : 20);
    return Promise.race([announced.then(() => true), Bun.sleep(5).then(() => false)]);
  });
  await until(() => telegram.messages.length === 1, "the message");
});
