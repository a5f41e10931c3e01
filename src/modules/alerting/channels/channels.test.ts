import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { readConfig } from "../../../core/config";
import { deliveries } from "../../../db/schema";
import { createHeldClock, START } from "../../../testing/clock";
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
import { API_KEY, BOT_TOKEN, resendError, serveResend, serveTelegram } from "../../../testing/servers/providers";
import { testOutbound } from "../../../testing/servers/target-of";
import { sendTo } from "./send";
import { type Message, renderMessage } from "./text";

const LINK = "https://watch.example/monitors/7";
const chat = { botToken: BOT_TOKEN, chatId: "42" };
const mail = { apiKey: API_KEY, from: "alerts@wakeful.example", to: " bob@shop.example ,, ops@shop.example," };

/** Hands a message to a provider at this origin. */
const send = (origin: string, type: string, config: Record<string, string>, message: Message) => {
  const env = { NODE_ENV: "test", TELEGRAM_API_URL: origin, RESEND_API_URL: origin };
  const deps = { config: readConfig(env), outbound: testOutbound, clock: createHeldClock() };
  const owner = { id: 1, role: "user" } as const;
  return sendTo(
    deps,
    { type, config, owner },
    { ...message, event: null, language: "en-US" },
    { key: "key", number: 1, since: START },
  );
};

it("the link of an action has the colon of its language before it", () => {
  const lineOf = (label: string) =>
    renderMessage(
      { title: "Shop", lines: [], link: null, action: { label, url: LINK } },
      { flavour: "plain", limit: 500 },
    ).body.trim();
  expect([lineOf("Acknowledge"), lineOf("确认")]).toEqual([`Acknowledge: ${LINK}`, `确认：${LINK}`]);
});

describe("a Telegram message", () => {
  it("that is too long is cut before its link, between characters", async () => {
    const { origin, texts } = serveTelegram();
    const lines = ["😀".repeat(2045), "x".repeat(4000)];
    for (const title of ["a", "ab"]) {
      const answer = await send(origin, "telegram", chat, { title, lines, link: LINK });
      expect(answer).toEqual({ sent: true, reply: "ok" });
    }
    for (const text of texts()) {
      expect(text.length).toBeLessThanOrEqual(4096);
      expect(text).toEndWith(`\n${LINK}`);
    }
  });

  it("has no link preview and no parse mode", async () => {
    const { origin, requests } = serveTelegram();
    await send(origin, "telegram", chat, { title: "*a*", lines: ["<b>_x_</b>"], link: LINK });
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      chat_id: "42",
      text: `*a*\n<b>_x_</b>\n${LINK}`,
      link_preview_options: { is_disabled: true },
    });
  });
});

describe("a mail", () => {
  it("has a subject of one line, and its content is escaped", async () => {
    const { origin, mails } = serveResend();
    const message = {
      title: "<a>\r\nBcc: x@y.z",
      lines: ['"1" < 2 & 3', "<script>alert(1)</script>"],
      link: `${LINK}?a="b"`,
    };
    expect(await send(origin, "resend", mail, message)).toMatchObject({ sent: true });
    expect(mails).toMatchObject([{ to: ["bob@shop.example", "ops@shop.example"], subject: "<a> Bcc: x@y.z" }]);
    expect(mails[0]?.html).toInclude("&quot;1&quot; &lt; 2 &amp; 3");
    expect(mails[0]?.html).toInclude("&lt;script&gt;");
    expect(mails[0]?.html).not.toMatch(/<script|="b"/);
    expect(mails[0]?.text).toBe(`"1" < 2 & 3\n<script>alert(1)</script>\n\n${LINK}?a="b"`);
  });
});

describe("a mail that was accepted although the answer was lost", () => {
  it("is sent once, also when its text has changed since", async () => {
    const { app, bob, delivery, resend } = await createAlertApp();
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob, resendChannel())]));
    await runDeliveries(app, delivery);
    const again = { state: "pending", nextAttemptAt: START, endedAt: null } as const;
    for (const language of ["zh-CN", "en-US"]) {
      await app.as(bob).put("/api/auth/language", { language });
      await app.db.update(deliveries).set(again).where(eq(deliveries.state, "sent"));
      await runDeliveries(app, delivery);
    }
    expect(resend.mails).toHaveLength(1);
    expect(resend.requests).toHaveLength(3);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 3 }]);
  });

  it("is retried while the earlier attempt is in progress", async () => {
    const { app, bob, delivery, resend } = await createAlertApp({
      resend: ({ number }) => (number === 1 ? resendError(409, "concurrent_idempotent_requests", "in progress") : null),
    });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob, resendChannel())]));
    await runDeliveries(app, delivery);
    await app.clock.advance(5000);
    await runDeliveries(app, delivery);
    expect(resend.mails).toHaveLength(1);
  });
});

it("a group that became a supergroup gets messages under its new id", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp({
    telegram: ({ sent }) =>
      sent.chat === "-42"
        ? Response.json(
            {
              ok: false,
              error_code: 400,
              description: "Bad Request: group chat was upgraded to a supergroup chat",
              parameters: { migrate_to_chat_id: -10_042 },
            },
            { status: 400 },
          )
        : null,
  });
  await recordDown(
    app,
    await addWatchedMonitor(app, bob, [await addChannel(app, bob, telegramChannel("group", "-42"))]),
  );
  await runDeliveries(app, delivery);
  expect(telegram.messages.map(({ chat }) => chat)).toEqual(["-42", "-10042"]);
  expect(await readDeliveries(app)).toMatchObject([{ state: "sent" }]);
});
