import { CHANNEL_TYPES, type ChannelType } from "../../../../src/shared/alerts";
import { text } from "../../../lib/form";

export type ChannelBody = { name: string; type: ChannelType; enabled: boolean; config: string };
export type ChannelConfig = Record<string, string>;

/** Every kind, in the order in which it is offered. Those that cannot be used yet are coming. */
export const channelTypes = [...CHANNEL_TYPES, "webhook", "slack", "dingtalk", "wecom", "feishu"] as const;
export type AnyChannelType = (typeof channelTypes)[number];
export const isUsable = (type: string): type is ChannelType => CHANNEL_TYPES.some((usable) => usable === type);

/** What is asked of each kind. */
export const configFields = {
  telegram: ["botToken", "chatId"],
  resend: ["apiKey", "from", "to"],
} as const satisfies Record<ChannelType, readonly string[]>;
export type ConfigField = (typeof configFields)[ChannelType][number];

/** Fields that come back masked. */
export const isSecret = (field: ConfigField) => field === "botToken" || field === "apiKey";

export type ChannelForm = { name: string; type: ChannelType; enabled: boolean; config: ChannelConfig };

export const toChannelForm = (form: FormData, type: ChannelType, enabled: boolean): ChannelForm => ({
  name: text(form, "name"),
  type,
  enabled,
  config: Object.fromEntries(configFields[type].map((field) => [field, text(form, field)])),
});

export const toChannelBody = ({ config, ...form }: ChannelForm): ChannelBody => ({
  ...form,
  config: JSON.stringify(config),
});
