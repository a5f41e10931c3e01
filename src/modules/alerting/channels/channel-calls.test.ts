import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { channels } from "../../../db/schema";
import type { Client } from "../../../testing/client";
import { addChannel, createAlertApp, resendChannel, telegramChannel } from "../../../testing/fixtures/alerts";
import { API_KEY, BOT_TOKEN, resendError, telegramError } from "../../../testing/servers/providers";

const PATH = "/api/notifications/channels";
const MASKED_TOKEN = `••••${BOT_TOKEN.slice(-4)}`;
const MASKED_KEY = `••••${API_KEY.slice(-4)}`;

const setUp = async (options?: Parameters<typeof createAlertApp>[0]) => {
  const made = await createAlertApp(options);
  const { app, alice, bob, charlie } = made;
  const clients = { alice: app.as(alice), bob: app.as(bob), charlie: app.as(charlie) };
  const shown = async (client: Client) => (await client.get("/api/notifications")).body.data.channels;
  const stored = async (id: number) => (await app.db.select().from(channels).where(eq(channels.id, id)))[0];
  return { ...made, clients, shown, stored };
};

describe("a channel", () => {
  it("is saved, shown with its secrets masked, changed and deleted", async () => {
    const { clients, shown, stored } = await setUp();
    const saved = await clients.bob.post(PATH, {
      ...telegramChannel(),
      config: JSON.stringify(telegramChannel().config),
    });
    expect([saved.status, saved.body.success]).toEqual([201, true]);
    const { id } = saved.body.data;
    const config = { botToken: MASKED_TOKEN, chatId: "42" };
    expect(await shown(clients.bob)).toMatchObject([
      { id, name: "chat", type: "telegram", config, enabled: true, default: false, problem: null },
    ]);
    const changed = await clients.bob.put(`${PATH}/${id}`, {
      name: " team ",
      type: "telegram",
      enabled: 0,
      config: { botToken: MASKED_TOKEN, chatId: " 43 " },
    });
    expect(changed.status).toBe(200);
    expect(await shown(clients.bob)).toMatchObject([{ name: "team", enabled: false, config: { chatId: "43" } }]);
    expect((await stored(id))?.config).toEqual({ botToken: BOT_TOKEN, chatId: "43" });
    expect((await clients.bob.delete(`${PATH}/${id}`)).status).toBe(200);
    expect(await shown(clients.bob)).toEqual([]);
  });

  it("loses its secret when its type changes, and a mask is no secret then", async () => {
    const { app, bob, clients, stored, shown } = await setUp();
    const id = await addChannel(app, bob);
    const mail = resendChannel();
    const asMail = (apiKey: string) =>
      clients.bob.put(`${PATH}/${id}`, { ...mail, config: { ...mail.config, apiKey, botToken: MASKED_TOKEN } });
    for (const mask of [MASKED_TOKEN, MASKED_KEY, "••••"]) {
      const { status, body } = await asMail(mask);
      expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["apiKey"]]);
    }
    expect((await asMail(API_KEY)).status).toBe(200);
    expect(JSON.stringify((await stored(id))?.config)).not.toInclude(BOT_TOKEN);
    expect((await shown(clients.bob))[0]?.config.apiKey).toBe(MASKED_KEY);
  });

  it("does not store fields that its kind does not know", async () => {
    const { app, bob, clients, stored } = await setUp();
    const config = { ...telegramChannel().config, apiKey: "re_left_over", junk: "x".repeat(2000) };
    const id = await addChannel(app, bob, { ...telegramChannel(), config });
    expect((await stored(id))?.config).toEqual(telegramChannel().config);
    await clients.bob.put(`${PATH}/${id}`, { ...telegramChannel(), config });
    expect((await stored(id))?.config).toEqual(telegramChannel().config);
  });

  it("is refused when a field is too long, or when it has too many fields", async () => {
    const { clients } = await setUp();
    const { status, body } = await clients.bob.post(PATH, {
      ...telegramChannel(),
      config: { ...telegramChannel().config, chatId: "1".repeat(101) },
    });
    expect([status, body.errors]).toMatchObject([422, [{ path: "chatId", code: "too_long" }]]);
    const masses = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, "x"]));
    expect((await clients.bob.post(PATH, { ...telegramChannel(), config: masses })).status).toBe(422);
  });

  it("shows nothing of a short secret", async () => {
    const { app, bob, clients, shown } = await setUp();
    await addChannel(app, bob, { ...resendChannel(), config: { ...resendChannel().config, apiKey: "re_1" } });
    expect((await shown(clients.bob))[0]?.config.apiKey).toBe("••••");
  });

  const cases: [string, object, Record<string, string>][] = [
    ["no name", { ...telegramChannel(), name: " " }, { name: "name_required" }],
    ["no token", { ...telegramChannel(), config: { chatId: "1" } }, { botToken: "bot_token_required" }],
    [
      "a short token",
      { ...telegramChannel(), config: { botToken: "1:abc", chatId: "1" } },
      { botToken: "bot_token_invalid" },
    ],
    ["no chat", { ...telegramChannel(), config: { botToken: BOT_TOKEN, chatId: " " } }, { chatId: "chat_id_required" }],
    [
      "nothing at all",
      { name: "mail", type: "resend", config: {} },
      { apiKey: "api_key_required", from: "sender_required", to: "recipient_required" },
    ],
    ["a key that fits in no header", withMail({ apiKey: "re_ключ" }), { apiKey: "api_key_invalid" }],
    ["a sender without an address", withMail({ from: "Wakeful" }), { from: "sender_invalid" }],
    ["a sender that begins a header", withMail({ from: "A\nBcc: x <a@b.example>" }), { from: "sender_invalid" }],
    ["commas only", withMail({ to: " , ," }), { to: "recipient_required" }],
    ["a recipient that is none", withMail({ to: "a@b.example, c" }), { to: "recipient_invalid" }],
  ];
  it.each(cases)("with %s is refused, with an error for each field", async (_, body, codes) => {
    const { clients, shown } = await setUp();
    const answer = await clients.bob.post(PATH, body);
    expect([answer.status, answer.body.code]).toEqual([422, "validation"]);
    const errors = answer.body.errors as { path: string; code?: string }[];
    expect(Object.fromEntries(errors.map(({ path, code }) => [path, code as string]))).toEqual(codes);
    expect(await shown(clients.bob)).toEqual([]);
  });

  it.each(["slack", "feishu", "constructor", "__proto__"])("of the type %s cannot be made", async (type) => {
    const { clients } = await setUp();
    expect((await clients.bob.post(PATH, { ...telegramChannel(), type })).status).toBe(422);
    expect((await clients.bob.post(PATH, { ...telegramChannel(), config: "[1" })).status).toBe(422);
  });

  it.each(["a@b.example", "Wakeful <a@b.example>", "监控 <a@b.example>"])("may send as %s", async (from) => {
    const { app, bob } = await setUp();
    expect(await addChannel(app, bob, withMail({ from }))).toBeGreaterThan(0);
  });
});

describe("the channel of another user", () => {
  it("does not exist, not even for an administrator", async () => {
    const { app, bob, clients, shown, stored, telegram } = await setUp();
    const id = await addChannel(app, bob);
    for (const client of [clients.alice, clients.charlie]) {
      expect((await client.put(`${PATH}/${id}`, telegramChannel("mine"))).status).toBe(404);
      expect((await client.delete(`${PATH}/${id}`)).status).toBe(404);
      expect((await client.post(`${PATH}/${id}/test`)).status).toBe(404);
      const config = { botToken: MASKED_TOKEN, chatId: "666" };
      expect((await client.post(`${PATH}/test`, { id, type: "telegram", config })).status).toBe(404);
      expect(await shown(client)).toEqual([]);
    }
    expect(await stored(id)).toMatchObject({ name: "chat", userId: bob.id });
    expect(telegram.messages).toEqual([]);
  });

  it("needs a session and a valid id", async () => {
    const { app, clients } = await setUp();
    expect((await app.anybody.get("/api/notifications")).status).toBe(401);
    for (const id of ["x", "0", "1.5"]) {
      const { status, body } = await clients.bob.delete(`${PATH}/${id}`);
      expect([status, body.code]).toEqual([422, "invalid_id"]);
    }
  });
});

describe("the built-in channel", () => {
  it("is shown to administrators and can't be changed", async () => {
    const { clients, shown } = await setUp({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "-1" } });
    expect(await shown(clients.alice)).toMatchObject([
      { id: 0, default: true, enabled: true, config: { botToken: MASKED_TOKEN, chatId: "-1" } },
    ]);
    expect(await shown(clients.bob)).toEqual([]);
    expect((await clients.alice.put(`${PATH}/0`, telegramChannel())).status).toBe(422);
    expect((await clients.alice.delete(`${PATH}/0`)).status).toBe(422);
  });

  it("sends a test message for administrators, and does not exist for other users", async () => {
    const { clients, telegram } = await setUp({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "-1" } });
    expect((await clients.bob.post(`${PATH}/0/test`)).status).toBe(404);
    expect(telegram.messages).toEqual([]);
    expect((await clients.alice.post(`${PATH}/0/test`)).body).toMatchObject({ success: true, message: "ok" });
    expect(telegram.messages).toMatchObject([{ token: BOT_TOKEN, chat: "-1" }]);
  });

  it("can't be tested when it is not configured", async () => {
    const { clients } = await setUp();
    const { status, body } = await clients.alice.post(`${PATH}/0/test`);
    expect([status, body.code]).toEqual([404, "not_found"]);
  });
});

describe("a test message", () => {
  it("is sent for a stored channel, and for one not saved yet", async () => {
    const { app, bob, clients, telegram, resend } = await setUp();
    await clients.bob.put("/api/auth/language", { language: "en-US" });
    const id = await addChannel(app, bob);
    expect((await clients.bob.post(`${PATH}/${id}/test`)).body).toMatchObject({ success: true, message: "ok" });
    const { type, config } = resendChannel();
    expect((await clients.bob.post(`${PATH}/test`, { type, config: JSON.stringify(config) })).status).toBe(200);
    const other = { id, type: "telegram", config: { botToken: MASKED_TOKEN, chatId: "43" } };
    expect((await clients.bob.post(`${PATH}/test`, other)).status).toBe(200);
    expect(telegram.messages.map(({ token, chat }) => [token, chat])).toEqual([
      [BOT_TOKEN, "42"],
      [BOT_TOKEN, "43"],
    ]);
    expect(telegram.texts()[0]).toStartWith("✅ Wakeful test message");
    expect(resend.mails).toHaveLength(1);
  });

  it("that is refused shows the reason without the secret", async () => {
    const { app, bob, clients } = await setUp({
      telegram: () => telegramError(401, `Unauthorized: ${BOT_TOKEN}`),
      resend: () => resendError(403, "validation_error", `The key ${API_KEY} may not send from this domain.`),
    });
    const id = await addChannel(app, bob);
    const chat = await clients.bob.post(`${PATH}/${id}/test`);
    expect([chat.status, chat.body.code, chat.body.message]).toEqual([
      502,
      "provider_refused",
      "The provider said: 401: Unauthorized: ••••",
    ]);
    const mail = await clients.bob.post(`${PATH}/test`, resendChannel());
    expect(mail.body.message).toBe("The provider said: 403: The key •••• may not send from this domain.");
    expect(app.logged.join("")).not.toInclude(BOT_TOKEN);
    expect(app.logged.join("")).not.toInclude(API_KEY);
  });
});

function withMail(config: object) {
  const mail = resendChannel();
  return { ...mail, config: { ...mail.config, ...config } };
}
