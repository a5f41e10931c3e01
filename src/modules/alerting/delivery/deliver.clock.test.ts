import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { telegramError } from "../../../testing/servers/providers";
import { createDelivery } from "./deliver";

const HOUR = 60 * MINUTE;

/** An alert with one failed attempt. */
const tryInVain = async (answer: () => Response) => {
  const made = await createAlertApp({ telegram: answer });
  const { app, bob, delivery } = made;
  await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
  await runDeliveries(app, delivery);
  const attempts = async () => (await readDeliveries(app))[0]?.attempts;
  expect(await attempts()).toBe(1);
  return { ...made, attempts };
};

it("a waiting alert is retried after the same time when the clock is set back by an hour", async () => {
  const { app, delivery, attempts } = await tryInVain(() => telegramError(500, "Internal"));
  app.clock.set(START - HOUR);
  await runDeliveries(app, delivery);
  expect(await attempts()).toBe(1);
  app.clock.set(START - HOUR + 5 * SECOND);
  await runDeliveries(app, delivery);
  expect(await attempts()).toBe(2);
});

it("a pause that a provider asked for keeps its length when the clock is set back by an hour", async () => {
  const { app, delivery, attempts } = await tryInVain(() =>
    telegramError(429, "Too Many Requests", { retry_after: 600 }),
  );
  app.clock.set(START - HOUR);
  await runDeliveries(app, delivery);
  app.clock.set(START - HOUR + 9 * MINUTE);
  await runDeliveries(app, delivery);
  expect(await attempts()).toBe(1);
  app.clock.set(START - HOUR + 10 * MINUTE);
  await runDeliveries(app, delivery);
  expect(await attempts()).toBe(2);
});

it("an alert waits for at most a day when the clock was set back while no instance ran", async () => {
  const { app, attempts } = await tryInVain(() => telegramError(500, "Internal"));
  app.clock.set(START - 48 * HOUR);
  const next = createDelivery(app.deps);
  await runDeliveries(app, next);
  expect(await attempts()).toBe(2);
});
