import { BOT_TOKEN } from "../../../shared/alerts";
import { type Channel, post, refusal } from "./channel";

/** @see https://core.telegram.org/bots/api#sendmessage */
const MAX_TEXT = 4096;

export const telegram: Channel = {
  secrets: ["botToken"],

  problems: ({ botToken = "", chatId = "" }) => ({
    ...(botToken === ""
      ? { botToken: "bot_token_required" }
      : !BOT_TOKEN.test(botToken) && { botToken: "bot_token_invalid" }),
    ...(chatId === "" && { chatId: "chat_id_required" }),
  }),

  // Without a parse mode, Telegram shows the text as it is: nothing in it can be markup.
  send: async ({ title, lines, link }, { botToken = "", chatId = "" }, _key, { telegramApiUrl }) => {
    const text = [title, ...lines, ...(link ? [link] : [])].join("\n").slice(0, MAX_TEXT);
    const { status, answer, retryAfter } = await post(
      `${telegramApiUrl}/bot${botToken}/sendMessage`,
      {},
      {
        chat_id: chatId,
        text,
        link_preview_options: { is_disabled: true },
      },
    );
    if (status === 200 && answer?.ok === true) return { sent: true, said: "ok" };
    const wait = Number((answer?.parameters as { retry_after?: unknown } | undefined)?.retry_after) || retryAfter;
    return refusal(status, answer?.description, wait);
  },
};
