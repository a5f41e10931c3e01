import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy } from "../../../db/owner";
import { thresholds } from "../../../db/schema";
import { reserveIds } from "../../../db/sql";
import { id, list, nullable, object, text } from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { MAX_THRESHOLDS, THRESHOLD_SCOPES } from "../../../shared/agents/thresholds";
import { tagKey } from "../../../shared/tags";
import { tagName } from "../../tags/model";
import { findOrCreateTags, listTags } from "../../tags/service";
import { atMost, definePart, fileId } from "../../transfer/part";
import { invalidateThresholds } from "./effective";
import { completed, settingErrors, settingFields, Threshold } from "./model";
import { keyOf, readRows } from "./service";

const { scope, metric, threshold, clear, minutes } = Threshold.properties;

const sentThreshold = t.Object({
  scope: oneOf(THRESHOLD_SCOPES),
  tag: t.Optional(t.Union([tagName, t.Null()], { error: "expected the name of a tag, or null" })),
  agent: t.Optional(t.Union([fileId, t.Null()])),
  ...settingFields,
});
/** The thresholds of an exported file. Those for the same servers and figure that a user has are kept as they are. */
export const thresholdsPart = definePart({
  key: "thresholds",
  counted: "thresholds",
  sent: field(
    t.Array(sentThreshold, atMost(MAX_THRESHOLDS)),
    "Thresholds of servers. Yours for the same servers and figure are kept.",
  ),
  exported: list(
    object({
      scope,
      tag: nullable(text("The tag's name.", "production"), null),
      agent: nullable(id("The server's id in the file.", 5), null),
      metric,
      subject: text("The mount point or sensor; empty for each of them.", "/var"),
      threshold,
      clear,
      minutes,
    }),
  ),
  async *export({ deps, owner }) {
    const tags = new Map((await listTags(deps, owner.teamId)).map((tag) => [tag.id, tag.name]));
    for (const { tagId, agentId: agent, scope, metric, subject, threshold, clear, minutes } of await readRows(
      deps,
      owner.teamId,
    )) {
      const tag = tagId === null ? null : (tags.get(tagId) ?? null);
      yield { scope, tag, agent, metric, subject, threshold, clear, minutes };
    }
  },
  parse: (sent: Static<typeof sentThreshold>[], refuse) =>
    sent.map((given, index) => {
      const setting = completed(given);
      for (const { path, message } of settingErrors(setting))
        refuse(`${index}.${path}`, message.slice(path.length + 2));
      const { scope } = given;
      const tag = scope === "tag" ? (given.tag?.trim().normalize("NFC") ?? null) : null;
      const agent = scope === "agent" ? (given.agent ?? null) : null;
      if (scope === "tag" && tag === null) refuse(`${index}.tag`, "expected the name of a tag");
      if (scope === "agent" && agent === null) refuse(`${index}.agent`, "expected a server of the file");
      return { ...setting, scope, tag, agent };
    }),
  references: (given, { field }) => (given.scope === "agent" ? field(given, "agent", "agents") : given),
  import: async (sent, { deps, owner }) => {
    const taken = new Map((await readRows(deps, owner.teamId)).map((row) => [keyOf(row), row.id]));
    const reserved = await reserveIds(deps.db, thresholds, sent.length);
    const rows: (typeof thresholds.$inferInsert)[] = [];
    const ids: (number | null)[] = [];
    for (const { tag, agent: agentId, ...setting } of sent) {
      const tagIds = tag === null ? null : await findOrCreateTags(deps.db, madeBy(owner), [{ name: tag }]);
      const row = { ...setting, agentId, tagId: (tag !== null && tagIds?.get(tagKey(tag))) || null };
      const existing = taken.get(keyOf(row));
      const id = existing ?? (taken.size < MAX_THRESHOLDS ? reserved.shift() : undefined);
      ids.push(id ?? null);
      if (existing !== undefined || id === undefined) continue;
      taken.set(keyOf(row), id);
      rows.push({ ...row, id, ...madeBy(owner) });
    }
    await insertMany(deps.db, thresholds, rows);
    const added = new Set(rows.map(({ id }) => id));
    return {
      ids,
      isNew: ids.map((id) => id !== null && added.has(id)),
      created: rows.length,
      stored: (after) => invalidateThresholds(after, owner.teamId),
    };
  },
});
