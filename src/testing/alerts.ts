import { asc, isNotNull } from "drizzle-orm";
import { deliveries, events } from "../db/schema";
import { createDelivery, type Delivering } from "../modules/notifications/deliver";
import { createTestApp, type TestApp } from "./app";
import { createHeldClock, until } from "./clock";
import { addMonitor, record } from "./monitors";
import type { TestUser } from "./people";
import { API_KEY, BOT_TOKEN, serveResend, serveTelegram } from "./providers";

export const PUBLIC_URL = "https://watch.example/wakeful";

export const telegramChannel = (name = "chat", chatId = "42") => ({
  name,
  type: "telegram",
  config: { botToken: BOT_TOKEN, chatId },
});
export const resendChannel = (name = "mail") => ({
  name,
  type: "resend",
  config: { apiKey: API_KEY, from: "Wakeful <alerts@wakeful.example>", to: "bob@shop.example, ops@shop.example" },
});

type Options = {
  telegram?: Parameters<typeof serveTelegram>[0];
  resend?: Parameters<typeof serveResend>[0];
  env?: Record<string, string>;
};

/** A console with both providers, a clock that is held, and bob, whose alerts these are. */
export const createAlertApp = async ({ telegram: onTelegram, resend: onResend, env = {} }: Options = {}) => {
  const telegram = serveTelegram(onTelegram);
  const resend = serveResend(onResend);
  const app = await createTestApp({
    clock: createHeldClock(),
    env: { TELEGRAM_API_URL: telegram.origin, RESEND_API_URL: resend.origin, PUBLIC_URL, ...env },
  });
  const people = await app.people();
  return { app, telegram, resend, delivery: createDelivery(app.deps), ...people };
};

/** Saves a channel as its user, and gives its id. */
export const addChannel = async (app: TestApp, owner: TestUser, body: object = telegramChannel()): Promise<number> => {
  const answer = await app.as(owner).post("/api/notifications/channels", body);
  if (answer.status !== 201) throw new Error(`the channel was not saved: ${answer.text}`);
  return answer.body.data.id;
};

/** Saves a setting as its user: on, unless it says otherwise. */
export const want = async (app: TestApp, owner: TestUser, setting: object): Promise<void> => {
  const answer = await app.as(owner).post("/api/notifications/settings", { enabled: true, ...setting });
  if (answer.status !== 200) throw new Error(`the setting was not saved: ${answer.text}`);
};

/** A monitor whose owner is told of it through these channels. */
export const watched = async (app: TestApp, owner: TestUser, channels: number[], name = "shop"): Promise<number> => {
  await want(app, owner, { target_type: "global-monitor", channels });
  return addMonitor(app, owner, { url: "https://shop.example/", name });
};

export const goDown = (app: TestApp, monitorId: number, error = "status 503, expected 200") =>
  record(app, monitorId, [{ at: app.clock.now(), up: false, statusCode: 503, error }]);
export const recover = (app: TestApp, monitorId: number) => record(app, monitorId, [{ at: app.clock.now() }]);

export const readEvents = ({ db }: Pick<TestApp, "db">) => db.select().from(events).orderBy(asc(events.id));
export const readDeliveries = ({ db }: Pick<TestApp, "db">) => db.select().from(deliveries).orderBy(asc(deliveries.id));

/** Carries everything that can be carried now, and waits until nothing is under way. */
export const carryAll = async (app: TestApp, delivery: Delivering): Promise<void> => {
  const progress = async () => (await readDeliveries(app)).map(({ state, attempts }) => `${state}${attempts}`).join();
  let [before, after]: [string | null, string] = [null, await progress()];
  while (after !== before) {
    before = after;
    await delivery.run();
    await until(
      async () => (await app.db.$count(deliveries, isNotNull(deliveries.claimedBy))) === 0,
      "the deliveries to end",
    );
    after = await progress();
  }
};
