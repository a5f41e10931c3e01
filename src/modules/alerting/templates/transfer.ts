import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { messageTemplates } from "../../../db/schema";
import { list, object } from "../../../server/answers";
import { field } from "../../../server/schema";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { atMost, definePart, note } from "../../transfer/part";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { OwnTemplate, templateModel } from "./model";
import { readOwn, templateProblems } from "./service";

type Sent = Static<typeof templateModel>;
type Place = { channelId: number | null; event: NonNullable<Sent["event"]> | null };

const keyOf = ({ channelId, event }: Place): string => JSON.stringify([channelId, event]);

/** The templates of an exported file. Those for a channel and event that have one already are kept as they are. */
export const templatesPart = definePart({
  key: "templates",
  counted: "templates",
  sent: field(
    t.Array(templateModel, atMost(TEMPLATE_LIMITS.perUser)),
    "Message templates. Yours for the same channel and event are kept.",
  ),
  exported: list(
    object({
      channel_id: OwnTemplate.properties.channel_id,
      event: OwnTemplate.properties.event,
      title: OwnTemplate.properties.title,
      body: OwnTemplate.properties.body,
    }),
  ),
  async *export({ deps, owner, has }) {
    for (const { channelId, event, title, body } of await readOwn(deps, owner))
      if (channelId === null || channelId === BUILT_IN_ID || has("channels", channelId))
        yield { channel_id: channelId, event, title, body };
  },
  parse: (sent: Sent[], refuse) => {
    for (const [index, template] of sent.entries())
      for (const { path, message } of templateProblems(template)) refuse(`${index}.${path}`, message);
    return sent;
  },
  check: (sent, { refer }) => {
    // No file contains the built-in channel.
    for (const [index, { channel_id: channel }] of sent.entries())
      if (channel != null && channel !== BUILT_IN_ID) refer(`${index}.channel_id`, "channels", channel);
  },
  import: async (sent, { deps, owner, now, idOf }) => {
    const hasBuiltIn = builtInChannel(deps.config, owner.role) !== null;
    const stored = await readOwn(deps, owner);
    const taken = new Set(stored.map(keyOf));
    const added: (Place & { title: string; body: string })[] = [];
    let builtInMissing = false;
    for (const { channel_id: channel = null, event = null, title, body } of sent) {
      const isBuiltIn = channel === BUILT_IN_ID;
      if (isBuiltIn && !hasBuiltIn) builtInMissing = true;
      const channelId = channel === null || isBuiltIn ? channel : idOf("channels", channel);
      const place = { channelId, event };
      const hasChannel = isBuiltIn ? hasBuiltIn : channel === null || channelId !== null;
      if (!hasChannel || taken.has(keyOf(place)) || taken.size >= TEMPLATE_LIMITS.perUser) continue;
      taken.add(keyOf(place));
      added.push({ ...place, title, body });
    }
    const rows = added.map((template) => ({ ...template, userId: owner.id, updatedAt: now }));
    await insertMany(deps.db, messageTemplates, rows);
    return {
      created: added.length,
      skipped: sent.length - added.length,
      notes: () =>
        builtInMissing ? [note("built_in_missing", "templates", "there is no built-in channel for you here")] : [],
    };
  },
});
