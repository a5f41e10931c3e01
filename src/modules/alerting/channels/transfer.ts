import { asc } from "drizzle-orm";
import { t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy, ownedBy } from "../../../db/owner";
import { channels } from "../../../db/schema";
import { id, list, object, record, text } from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import type { ChannelConfig } from "../../../shared/channel-fields";
import { atMost, definePart, type Exporting, fileId, matchItems, note } from "../../transfer/part";
import { channelModel, configFields } from "../model";
import { comparable, exported, isComplete, readImported } from "./config";
import { BUILT_IN_ID, builtInChannel, channelTypes } from "./registry";
import { Channel } from "./service";

const MAX_CHANNELS = 1000;
const { name, type, enabled } = Channel.properties;

const readChannels = ({ deps, owner }: Pick<Exporting, "deps" | "owner">) =>
  deps.db.select().from(channels).where(ownedBy(channels, owner.teamId)).orderBy(asc(channels.id));

const keyOf = ({ name, type, config }: { name: string; type: string; config: ChannelConfig }): string =>
  JSON.stringify([name, type, Object.entries(comparable({ type, config })).toSorted()]);

/** The channels of an exported file, without their secrets. */
export const channelsPart = definePart({
  key: "channels",
  counted: "channels",
  needsScope: "channels",
  builtIn: {
    id: BUILT_IN_ID,
    exists: ({ config }, { role }) => builtInChannel(config, role) !== null,
    missing: "there is no built-in channel for you here",
  },
  sent: field(
    t.Array(
      t.Composite([
        t.Object({
          id: t.Optional(fileId),
          type: oneOf(channelTypes()),
          enabled: t.Optional(t.Boolean({ error: "expected true or false" })),
        }),
        t.Pick(channelModel, ["name"]),
        t.Object({ config: configFields }),
      ]),
      atMost(MAX_CHANNELS),
    ),
    "A channel without its secret is created switched off.",
  ),
  exported: list(
    object({
      id: id("The channel's id in the file.", 2),
      ...{ name, type, enabled },
      config: record(text("A field's value.", "-100123456"), "Its configuration without secrets.", "chatId"),
    }),
  ),
  async *export(context) {
    for (const { id, name, type, enabled, config } of await readChannels(context))
      yield { id, name, type, enabled, config: exported({ type, config }) };
  },
  parse: (sent, refuse) =>
    sent.map((channel, index) => {
      const { id, name, type, enabled = true } = channel;
      const { config, complete } = readImported(channel, (path, message) => refuse(`${index}.${path}`, message));
      return { id, name: name.trim(), type, config, enabled: enabled && complete, complete };
    }),
  import: async (sent, context) => {
    const { deps, owner, now } = context;
    const stored = await readChannels(context);
    const { added, ...matched } = await matchItems(context, sent, {
      ...{ table: channels, quota: "channels", stored, keyOf },
    });
    const isUsable = (channel: (typeof sent)[number]) => channel.complete && isComplete(channel, owner.role);
    const rows = added.map((channel) => {
      const enabled = channel.enabled && isUsable(channel);
      return { ...channel, ...madeBy(owner), enabled, createdAt: now, updatedAt: now };
    });
    await insertMany(deps.db, channels, rows);
    const addedIds = new Set(added.map(({ id }) => id));
    return {
      ...matched,
      notes: () =>
        sent.flatMap((channel, index) => {
          if (isUsable(channel) || !addedIds.has(matched.ids[index] as number)) return [];
          const message = `"${channel.name}" is switched off until its secret is entered`;
          return [note("secret_missing", `channels.${index}`, message)];
        }),
    };
  },
});
