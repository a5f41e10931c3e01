/** The channels of xugou. */
import type { ChannelConfig } from "../../../../shared/channel-fields";
import type { Item } from "../source";
import { clean, type Fields, flagIn, jsonIn, note, numberIn, recordOf, textOf } from "../text";
import type { XugouRows } from "./rows";

/** The fields of each kind of channel, which has the same name here, by their names there. */
const KINDS: Record<string, Record<string, string>> = {
  telegram: { botToken: "botToken", chatId: "chatId" },
  resend: { apiKey: "apiKey", from: "from", to: "to" },
  feishu: { url: "webhookUrl" },
  wecom: { url: "webhookUrl" },
};

/** The public group of xugou, which each installation has as a channel at first. */
const PUBLIC_GROUP = "-1002608818360";

/** The longest name of a channel. */
const NAME_LENGTH = 100;

const itemOf = (row: Fields, id: number): Item => {
  const kind = clean(row.type, 50);
  const name = clean(row.name, NAME_LENGTH) || `${kind} ${id}`;
  const item = { part: "channels" as const, externalId: `channel:${id}`, name, kind };
  const names = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!names) return { ...item, content: null, notes: [note("provider_unsupported", kind || "it")] };
  const sent = recordOf(jsonIn(row, "config"));
  if (textOf(sent, "chatId").trim() === PUBLIC_GROUP) return { ...item, content: null, notes: [note("public_group")] };
  const config: ChannelConfig = {};
  for (const [ours, theirs] of Object.entries(names)) config[ours] = textOf(sent, theirs).trim();
  return { ...item, content: { id, name, type: kind, enabled: flagIn(row, "enabled"), config }, notes: [] };
};

export const channelItems = ({ notification_channels }: XugouRows): Item[] =>
  notification_channels.flatMap((row) => {
    const id = numberIn(row, "id");
    return id === null ? [] : [itemOf(row, id)];
  });
