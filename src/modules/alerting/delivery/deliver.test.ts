import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { channels, users } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import {
  acknowledgeLine,
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  PUBLIC_URL,
  readDeliveries,
  recordDown,
  recover,
  resendChannel,
  runDeliveries,
  saveRule,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { API_KEY, BOT_TOKEN, telegramError } from "../../../testing/servers/providers";

describe("an alert", () => {
  it("of a heartbeat has no address", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await app.as(bob).put("/api/auth/language", { language: "en-US" });
    await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
    const job = { name: "backup", kind: "heartbeat", config: { every: 3600 } };
    const { monitor } = (await app.as(bob).post("/api/monitors", job)).body;
    await recordDown(app, monitor.id, checkError("heartbeat_exit", { status: 4 }));
    await runDeliveries(app, delivery);
    expect(telegram.texts()[0]).toStartWith("🔴 backup failed\nReason: the job ended with exit status 4\n");
  });

  it("reaches every chosen channel, in its owner's language, with a link", async () => {
    const { app, bob, delivery, telegram, resend } = await createAlertApp();
    await app.as(bob).put("/api/auth/language", { language: "en-US" });
    const chosen = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
    await addChannel(app, bob, telegramChannel("not chosen", "43"));
    const id = await addWatchedMonitor(app, bob, chosen, "<b>Shop</b> & *co*");
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    const links = (channel = 0) => [acknowledgeLine(app, 1, channel, START), `${PUBLIC_URL}/monitors/${id}`];
    const lines = [
      "Address: https://shop.example/",
      "Reason: status 503, expected 200",
      "Down since Jan 15, 2026, 12:20:00 UTC",
    ];
    const title = "🔴 <b>Shop</b> & *co* is down";
    expect(telegram.messages).toEqual([
      { token: BOT_TOKEN, chat: "42", text: [title, ...lines, ...links(chosen[0])].join("\n") },
    ]);
    expect(resend.mails).toMatchObject([
      {
        from: "Wakeful <alerts@wakeful.example>",
        to: ["bob@shop.example", "ops@shop.example"],
        subject: title,
        text: [...lines, "", ...links(chosen[1])].join("\n"),
      },
    ]);
    expect(resend.mails[0]?.html).toInclude("🔴 &lt;b&gt;Shop&lt;/b&gt; &amp; *co* is down");
    expect(resend.mails[0]?.html).not.toInclude("<b>");
    expect(await readDeliveries(app)).toMatchObject(
      chosen.map((channelId) => ({
        channelId,
        state: "sent",
        attempts: 1,
        error: null,
        claimedBy: null,
        nextAttemptAt: null,
        endedAt: START,
      })),
    );
  });

  it("is sent once when deliveries run many times", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await Promise.all(Array.from({ length: 20 }, delivery.run));
    for (let second = 0; second < 5; second++) {
      await runDeliveries(app, delivery);
      await app.clock.advance(DAY);
    }
    expect(telegram.messages).toHaveLength(1);
  });

  it("is in Chinese unless its owner chose English", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await runDeliveries(app, delivery);
    expect(telegram.texts()[0]).toStartWith("🔴 shop 无法访问\n地址：https://shop.example/\n原因：");
  });

  it("is not sent without a rule, to channels of other users, or to disabled channels", async () => {
    const { app, bob, charlie, delivery, telegram } = await createAlertApp();
    const [own, others] = [await addChannel(app, bob), await addChannel(app, charlie)];
    const off = await addChannel(app, bob, { ...telegramChannel(), enabled: false });
    const id = await addWatchedMonitor(app, bob, [off]);
    await recordDown(app, await addMonitor(app, charlie, { url: "https://quiet.example/" }));
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toEqual([]);
    // Even if a rule holds the channel of another user, as after a manual change of the database.
    await app.db.update(channels).set({ userId: charlie.id }).where(eq(channels.id, own));
    await app.clock.advance(SECOND);
    await recover(app, id);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toEqual([]);
    expect(others).not.toBe(own);
  });

  it("is sent to the built-in channel only when its owner is an administrator", async () => {
    const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "-1001" };
    const { app, alice, delivery, telegram } = await createAlertApp({ env });
    const id = await addWatchedMonitor(app, alice, [0]);
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    expect(telegram.messages.map(({ chat }) => chat)).toEqual(["-1001"]);
    await app.clock.advance(MINUTE);
    await recover(app, id);
    await app.db.update(users).set({ role: "user" }).where(eq(users.id, alice.id));
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
  });

  it("is sent by the rule of its own monitor when that overrides the global one", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    const [one, two] = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("two", "2"))];
    const [plain, special, silent] = [
      await addWatchedMonitor(app, bob, [one]),
      await addWatchedMonitor(app, bob, [one]),
      await addWatchedMonitor(app, bob, [one]),
    ];
    const specific = { target_type: "monitor", override_global: true };
    await saveRule(app, bob, { ...specific, target_id: special, channels: [two] });
    await saveRule(app, bob, { ...specific, target_id: silent, channels: [one], on_down: false });
    for (const id of [plain, special, silent]) await recordDown(app, id);
    await runDeliveries(app, delivery);
    expect(telegram.messages.map(({ chat }) => chat).toSorted()).toEqual(["2", "42"]);
  });
});

describe("an unavailable provider", () => {
  it("is tried again after growing pauses until it accepts the alert", async () => {
    let fine = false;
    const { app, bob, delivery, telegram } = await createAlertApp({
      telegram: () => (fine ? null : telegramError(502, "Bad Gateway")),
    });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    for (const pause of [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, HOUR]) {
      await runDeliveries(app, delivery);
      const attempts = telegram.messages.length;
      await app.clock.advance(pause - 1);
      await runDeliveries(app, delivery);
      expect(telegram.messages).toHaveLength(attempts);
      await app.clock.advance(1);
    }
    fine = true;
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 9, error: null }]);
  });

  it("is tried for a whole day, then the delivery fails", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: () => telegramError(500, "Oops") });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await runDeliveries(app, delivery);
    while (app.clock.now() < START + DAY) {
      await app.clock.advance(15 * MINUTE);
      await runDeliveries(app, delivery);
    }
    const attempts = telegram.messages.length;
    expect(await readDeliveries(app)).toMatchObject([
      { state: "failed", attempts, error: "500: Oops", endedAt: START + DAY, nextAttemptAt: null, claimedBy: null },
    ]);
    await app.clock.advance(DAY);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(attempts);
    expect(app.logged.join("")).toInclude("an alert could not be delivered");
  });

  it("gets waiting retries within a minute after it accepts an alert again", async () => {
    let fine = false;
    const { app, bob, delivery, telegram } = await createAlertApp({
      telegram: () => (fine ? null : telegramError(500, "Oops")),
    });
    const channel = await addChannel(app, bob);
    const [first, second] = [
      await addWatchedMonitor(app, bob, [channel], "one"),
      await addWatchedMonitor(app, bob, [channel], "two"),
    ];
    await recordDown(app, first);
    for (let step = 0; step < 30; step++) {
      await runDeliveries(app, delivery);
      await app.clock.advance(10 * MINUTE);
    }
    fine = true;
    telegram.messages.length = 0;
    await recordDown(app, second);
    await runDeliveries(app, delivery);
    await app.clock.advance(MINUTE);
    await runDeliveries(app, delivery);
    expect(telegram.texts().map((text) => text.split(" ")[1])).toEqual(["two", "one"]);
  });
});

describe("the alerts of one monitor", () => {
  it("arrive in order: a recovery waits for the alert that it ends, which is then retried at once", async () => {
    let fine = false;
    const { app, bob, delivery, telegram } = await createAlertApp({
      telegram: () => (fine ? null : telegramError(500, "Oops")),
    });
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
    await recordDown(app, id);
    for (let step = 0; step < 30; step++) {
      await runDeliveries(app, delivery);
      await app.clock.advance(10 * MINUTE);
    }
    fine = true;
    telegram.messages.length = 0;
    await recover(app, id);
    await runDeliveries(app, delivery);
    expect(telegram.texts().map((text) => [...text][0])).toEqual(["🔴", "🟢"]);
  });

  it("wait for each other within one channel only", async () => {
    const { app, bob, delivery, resend } = await createAlertApp({ telegram: () => telegramError(500, "Oops") });
    const id = await addWatchedMonitor(app, bob, [
      await addChannel(app, bob),
      await addChannel(app, bob, resendChannel()),
    ]);
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    await app.clock.advance(1);
    await recover(app, id);
    await runDeliveries(app, delivery);
    expect(resend.mails.map(({ subject }) => [...subject][0])).toEqual(["🔴", "🟢"]);
    expect(app.logged.join("")).not.toInclude(BOT_TOKEN);
    expect(app.logged.join("")).not.toInclude(API_KEY);
  });

  it("do not wait for a delivery that failed permanently", async () => {
    let fine = false;
    const { app, bob, delivery, telegram } = await createAlertApp({
      telegram: () => (fine ? null : telegramError(400, "Bad Request: chat not found")),
    });
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    fine = true;
    await app.clock.advance(1);
    await recover(app, id);
    await app.clock.advance(1);
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    const states = (await readDeliveries(app)).map(({ state, errorCode }) => [state, errorCode]);
    expect(states).toEqual([
      ["failed", "rejected"],
      ["withheld", "not_notified"],
      ["sent", null],
    ]);
    expect(telegram.messages).toHaveLength(2);
  });
});
