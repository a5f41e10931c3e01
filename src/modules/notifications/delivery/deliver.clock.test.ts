import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  drainDeliveries,
  readDeliveries,
  recordDown,
} from "../../../testing/fixtures/alerts";
import { telegramError } from "../../../testing/servers/providers";
import { createDelivery } from "./deliver";

const HOUR = 60 * MINUTE;

/** An alert with one failed attempt. */
const tryInVain = async (answer: () => Response) => {
  const made = await createAlertApp({ telegram: answer });
  const { app, bob, delivery } = made;
  await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
  await drainDeliveries(app, delivery);
  const attempts = async () => (await readDeliveries(app))[0]?.attempts;
  expect(await attempts()).toBe(1);
  return { ...made, attempts };
};

it("an alert that waits is tried as soon as before when the clock is set back by an hour", async () => {
  const { app, delivery, attempts } = await tryInVain(() => telegramError(500, "Internal"));
  app.clock.set(START - HOUR);
  await drainDeliveries(app, delivery);
  expect(await attempts()).toBe(1);
  app.clock.set(START - HOUR + 5 * SECOND);
  await drainDeliveries(app, delivery);
  expect(await attempts()).toBe(2);
});

it("a pause that a provider asked for is as long as before when the clock is set back by an hour", async () => {
  const { app, delivery, attempts } = await tryInVain(() =>
    telegramError(429, "Too Many Requests", { retry_after: 600 }),
  );
  app.clock.set(START - HOUR);
  await drainDeliveries(app, delivery);
  app.clock.set(START - HOUR + 9 * MINUTE);
  await drainDeliveries(app, delivery);
  expect(await attempts()).toBe(1);
  app.clock.set(START - HOUR + 10 * MINUTE);
  await drainDeliveries(app, delivery);
  expect(await attempts()).toBe(2);
});

it("an alert waits for a day at most when the clock was set back while nobody ran", async () => {
  const { app, attempts } = await tryInVain(() => telegramError(500, "Internal"));
  app.clock.set(START - 48 * HOUR);
  const next = createDelivery(app.deps);
  await drainDeliveries(app, next);
  expect(await attempts()).toBe(2);
});
