import { BOT_TOKEN } from "../../../shared/alerts";
import { type Channel, post, refusal, secondsOf } from "./http";

/** In UTF-16 units, as Telegram counts. @see https://core.telegram.org/bots/api#sendmessage */
const MAX_TEXT = 4096;

type Parameters = { retry_after?: unknown; migrate_to_chat_id?: unknown } | undefined;

export const telegram: Channel = {
  fields: { botToken: 200, chatId: 100 },
  secrets: ["botToken"],

  problems: ({ botToken = "", chatId = "" }) => ({
    ...(botToken === ""
      ? { botToken: "bot_token_required" }
      : !BOT_TOKEN.test(botToken) && { botToken: "bot_token_invalid" }),
    ...(chatId === "" && { chatId: "chat_id_required" }),
  }),

  // Without a parse mode, Telegram shows the text as it is: nothing in it can be markup.
  send: async ({ title, lines, link }, { botToken = "", chatId = "" }, _key, { telegramApiUrl, outbound }) => {
    const end = link ? `\n${link}` : "";
    const text = [title, ...lines].join("\n").slice(0, MAX_TEXT - end.length);
    const sendTo = (chat: string) =>
      post(
        outbound,
        `${telegramApiUrl}/bot${botToken}/sendMessage`,
        {},
        { chat_id: chat, text: text.toWellFormed() + end, link_preview_options: { is_disabled: true } },
      );
    const parametersOf = ({ json }: { json: Record<string, unknown> | null }) => json?.parameters as Parameters;
    let reply = await sendTo(chatId);
    // A group that became a supergroup has a new id, which Telegram tells whoever writes to the old one.
    const moved = parametersOf(reply)?.migrate_to_chat_id;
    if (typeof moved === "number" || typeof moved === "string") reply = await sendTo(String(moved));
    const { status, json } = reply;
    if (status === 200 && json?.ok === true) return { sent: true, said: "ok" };
    const retryAfter = secondsOf(parametersOf(reply)?.retry_after) ?? reply.retryAfter;
    return refusal({ status, retryAfter }, json?.description);
  },
};
