import { t } from "elysia";
import { list, object } from "../../../server/answers";
import { field } from "../../../server/schema";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { atMost, definePart } from "../../transfer/part";
import { OwnTemplate, type TemplateBody, templateModel } from "./model";
import { createTemplate, readOwn, templateProblems } from "./service";

const { channel_id, event, title, body } = OwnTemplate.properties;

/** The templates of an exported file. Those for a channel and event that have one already are kept as they are. */
export const templatesPart = definePart({
  key: "templates",
  counted: "templates",
  sent: field(
    t.Array(templateModel, atMost(TEMPLATE_LIMITS.perUser)),
    "Message templates. Yours for the same channel and event are kept.",
  ),
  exported: list(object({ channel_id, event, title, body })),
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
  import: async (sent, { deps, owner }) => {
    const placeOf = (channelId: number | null, event: string | null) => JSON.stringify([channelId, event]);
    const taken = new Set((await readOwn(deps, owner)).map(({ channelId, event }) => placeOf(channelId, event)));
    let created = 0;
    for (const template of sent) {
      const place = placeOf(template.channel_id ?? null, template.event ?? null);
      if (taken.has(place) || taken.size >= TEMPLATE_LIMITS.perUser) continue;
      await createTemplate(deps, owner, template);
      taken.add(place);
      created++;
    }
    return { created };
  },
});
