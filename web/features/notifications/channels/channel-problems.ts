import { BOT_TOKEN } from "../../../../src/shared/alerts";
import { EMAIL } from "../../../../src/shared/limits";
import type { ChannelConfig, ChannelForm, ConfigField } from "./channel-body";

/** What can be wrong with a channel: the same codes as the server's. */
export type Problem =
  | "name_required"
  | "bot_token_required"
  | "bot_token_invalid"
  | "chat_id_required"
  | "api_key_required"
  | "sender_required"
  | "sender_invalid"
  | "recipient_required"
  | "recipient_invalid";
export type Problems = { [K in ConfigField | "name"]?: Problem };

const MASK = "••••";
const SENDER = /^(?:[^<>"]+\s<([^<>]+)>|([^<>\s]+))$/;

const isSender = (from: string) => {
  const [, named, bare] = SENDER.exec(from) ?? [];
  return EMAIL.test(named ?? bare ?? "");
};

/** A mask that was typed into is neither the stored secret nor a new one. */
const isMissing = (secret: string) => secret === "" || secret.startsWith(MASK);

/** What is wrong with a configuration, by field. A secret that is still as masked in `stored` is fine. */
export const configProblems = (
  { type, config }: Pick<ChannelForm, "type" | "config">,
  stored: ChannelConfig = {},
): Problems => {
  const { botToken = "", chatId = "", apiKey = "", from = "", to = "" } = config;
  if (type === "telegram") {
    const kept = botToken !== "" && botToken === stored.botToken;
    return {
      ...(!kept &&
        (isMissing(botToken)
          ? { botToken: "bot_token_required" }
          : !BOT_TOKEN.test(botToken) && { botToken: "bot_token_invalid" })),
      ...(chatId === "" && { chatId: "chat_id_required" }),
    };
  }
  const recipients = to.split(",").flatMap((address) => address.trim() || []);
  return {
    ...(isMissing(apiKey) && apiKey !== (stored.apiKey || undefined) && { apiKey: "api_key_required" }),
    ...(from === "" ? { from: "sender_required" } : !isSender(from) && { from: "sender_invalid" }),
    ...(recipients.length === 0
      ? { to: "recipient_required" }
      : !recipients.every((address) => EMAIL.test(address)) && { to: "recipient_invalid" }),
  };
};

/** What is wrong with a channel that is to be saved. */
export const channelProblems = (form: ChannelForm, stored?: ChannelConfig): Problems => ({
  ...(form.name === "" && { name: "name_required" }),
  ...configProblems(form, stored),
});
