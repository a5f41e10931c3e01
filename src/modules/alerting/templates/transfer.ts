import { t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { messageTemplates } from "../../../db/schema";
import { list, object } from "../../../server/answers";
import { field } from "../../../server/schema";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { atMost, definePart } from "../../transfer/part";
import { OwnTemplate, type TemplateBody, templateModel } from "./model";
import { readOwn, templateProblems } from "./service";

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
  async *export({ deps, owner }) {
    for (const { channelId, event, title, body } of await readOwn(deps, owner))
      yield { channel_id: channelId, event, title, body };
  },
  parse: (sent: TemplateBody[], refuse) => {
    for (const [index, template] of sent.entries())
      for (const { path, message } of templateProblems(template)) refuse(`${index}.${path}`, message);
    return sent;
  },
  references: (template, { field }) => field(template, "channel_id", "channels"),
  import: async (sent, { deps, owner, now }) => {
    const placeOf = (channelId: number | null, event: string | null) => JSON.stringify([channelId, event]);
    const taken = new Set((await readOwn(deps, owner)).map(({ channelId, event }) => placeOf(channelId, event)));
    const rows: (typeof messageTemplates.$inferInsert)[] = [];
    for (const { channel_id: channelId = null, event = null, title, body } of sent) {
      if (taken.has(placeOf(channelId, event)) || taken.size >= TEMPLATE_LIMITS.perUser) continue;
      taken.add(placeOf(channelId, event));
      rows.push({ channelId, event, title, body, userId: owner.id, updatedAt: now });
    }
    await insertMany(deps.db, messageTemplates, rows);
    return { created: rows.length };
  },
});
