import type { Config } from "../../../core/config";

/** The channel that the operator set up by TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID. It is not stored. */
export const BUILT_IN_ID = 0;

export const builtInChannel = ({ telegramDefault }: Pick<Config, "telegramDefault">) =>
  telegramDefault && { id: BUILT_IN_ID, name: "Telegram", type: "telegram", config: telegramDefault, enabled: true };
