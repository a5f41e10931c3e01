import { BOT_TOKEN } from "../../../../../shared/notifications";
import { channelKind, type Reply } from "../../kind";
import { refusal, secondsOf } from "../../verdict";

type Parameters = { retry_after?: unknown; migrate_to_chat_id?: unknown } | undefined;

const parametersOf = ({ json }: Reply) => json?.parameters as Parameters;

/** @see https://core.telegram.org/bots/api#sendmessage */
export const telegram = channelKind({
  kind: "telegram",
  icon: "M21 4L3 11l6 2.3M21 4l-3.5 16L9 13.3M21 4L9 13.3V19l3.2-3.2",
  quotesAnswer: false,
  fields: [
    {
      name: "botToken",
      label: "bot token",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      pattern: BOT_TOKEN.source,
      expected: "digits, a colon, then 30 or more letters, digits, _ and -",
      example: "123456789:AAE…",
    },
    { name: "chatId", label: "chat id", type: "text", required: true, maxLength: 100, example: "-1001234567890" },
  ],
  // Without a parse mode, Telegram shows the text as it is: nothing in it can be markup. It counts in UTF-16 units.
  text: { flavour: "plain", limit: 4096 },
  // About one a second, and 20 a minute in a group.
  budget: [
    { messages: 5, seconds: 5 },
    { messages: 18, seconds: 60 },
  ],

  send: async ({ botToken, chatId = "" }, { text }, { config: { telegramApiUrl } }, { exchange }) => {
    const sendTo = (chat: string) =>
      exchange({
        url: `${telegramApiUrl}/bot${botToken}/sendMessage`,
        chosenBy: "operator",
        body: { chat_id: chat, text, link_preview_options: { is_disabled: true } },
      });
    let reply = await sendTo(chatId);
    // A group that became a supergroup has a new id, which Telegram answers to messages for the old one.
    const moved = parametersOf(reply)?.migrate_to_chat_id;
    if (typeof moved === "number" || typeof moved === "string") reply = await sendTo(String(moved));
    const { status, json } = reply;
    if (status === 200 && json?.ok === true) return { sent: true, reply: "ok" };
    const retryAfter = secondsOf(parametersOf(reply)?.retry_after) ?? reply.retryAfter;
    return refusal({ status, retryAfter }, json?.description);
  },
});
