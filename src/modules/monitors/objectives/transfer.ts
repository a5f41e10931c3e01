import type { Static } from "@sinclair/typebox";
import { t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy } from "../../../db/owner";
import { objectives } from "../../../db/schema";
import { id, list, nullable, object, text } from "../../../server/answers";
import { field } from "../../../server/schema";
import { MAX_OBJECTIVES } from "../../../shared/outages/objectives";
import { tagKey } from "../../../shared/tags";
import { tagName } from "../../tags/model";
import { findOrCreateTags, listTags } from "../../tags/service";
import { atMost, definePart, fileId } from "../../transfer/part";
import { Objective, objectiveFields } from "./model";
import { completed, type Place, readRows } from "./service";

const sentObjective = t.Object({
  monitor: t.Optional(t.Union([fileId, t.Null()])),
  tag: t.Optional(t.Union([tagName, t.Null()], { error: "expected the name of a tag, or null" })),
  ...objectiveFields,
});

const keyOf = ({ monitorId, tagId }: Place): string => `${monitorId} ${tagId}`;

/** The objectives of an exported file. Those that a user has for the same monitor or tag are kept as they are. */
export const objectivesPart = definePart({
  key: "objectives",
  counted: "objectives",
  sent: field(
    t.Array(sentObjective, atMost(MAX_OBJECTIVES)),
    "Uptime objectives, each of a monitor or of a tag. Yours for the same monitor or tag are kept.",
  ),
  exported: list(
    object({
      monitor: nullable(id("The monitor's id in the file.", 5)),
      tag: nullable(text("The tag's name.", "production"), null),
      target: Objective.properties.target,
      period: Objective.properties.period,
      alerts: Objective.properties.alerts,
    }),
  ),
  async *export({ deps, owner }) {
    const tags = new Map((await listTags(deps, owner.teamId)).map((tag) => [tag.id, tag.name]));
    for (const { monitorId: monitor, tagId, target, period, alerts } of await readRows(deps, owner.teamId))
      yield { monitor, tag: tagId === null ? null : (tags.get(tagId) ?? null), target, period, alerts };
  },
  parse: (sent: Static<typeof sentObjective>[], refuse) =>
    sent.map(({ monitor = null, tag = null, ...given }, index) => {
      if ((monitor === null) === (tag === null)) refuse(`${index}`, "expected a monitor of the file, or a tag");
      return { ...completed(given), monitor, tag: tag?.trim().normalize("NFC") ?? null };
    }),
  references: (given, { field }) => (given.monitor === null ? given : field(given, "monitor", "monitors")),
  import: async (sent, { deps, owner }) => {
    const taken = new Set((await readRows(deps, owner.teamId)).map(keyOf));
    const rows: (typeof objectives.$inferInsert)[] = [];
    for (const { tag, monitor: monitorId, ...given } of sent) {
      if (taken.size >= MAX_OBJECTIVES) break;
      const tagIds = tag === null ? null : await findOrCreateTags(deps.db, madeBy(owner), [{ name: tag }]);
      const place = { monitorId, tagId: (tag !== null && tagIds?.get(tagKey(tag))) || null };
      if (taken.has(keyOf(place))) continue;
      taken.add(keyOf(place));
      rows.push({ ...madeBy(owner), ...place, ...given });
    }
    await insertMany(deps.db, objectives, rows);
    return { created: rows.length };
  },
});
