import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { thresholds } from "../../../db/schema";
import { id, list, nullable, object, text } from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { MAX_THRESHOLDS, THRESHOLD_SCOPES, type ThresholdSetting } from "../../../shared/agents/thresholds";
import { tagKey } from "../../../shared/tags";
import { tagName } from "../../tags/model";
import { findOrCreateTags, listTags } from "../../tags/service";
import { atMost, definePart, fileId } from "../../transfer/part";
import { invalidateThresholds } from "./effective";
import { completed, settingErrors, settingFields, Threshold } from "./model";
import { readRows } from "./service";

const { scope, metric, threshold, clear, minutes } = Threshold.properties;

const sentThreshold = t.Object({
  scope: oneOf(THRESHOLD_SCOPES),
  tag: t.Optional(t.Union([tagName, t.Null()], { error: "expected the name of a tag, or null" })),
  agent: t.Optional(t.Union([fileId, t.Null()])),
  ...settingFields,
});
type Sent = Static<typeof sentThreshold>;
type Place = { scope: string; tag: string | null; agent: number | null };

const keyOf = ({ scope, tag, agent, metric, subject }: Place & Pick<ThresholdSetting, "metric" | "subject">): string =>
  JSON.stringify([scope, tag && tagKey(tag), agent, metric, subject]);

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
  async *export({ deps, owner, has }) {
    const tags = new Map((await listTags(deps, owner.id)).map((tag) => [tag.id, tag.name]));
    for (const row of await readRows(deps, owner.id)) {
      if (row.agentId !== null && !has("agents", row.agentId)) continue;
      const tag = row.tagId === null ? null : (tags.get(row.tagId) ?? null);
      const { scope, agentId: agent, metric, subject, threshold, clear, minutes } = row;
      yield { scope, tag, agent, metric, subject, threshold, clear, minutes };
    }
  },
  parse: (sent: Sent[], refuse) =>
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
  check: (sent, { refer }) => {
    for (const [index, { scope, agent }] of sent.entries())
      if (scope === "agent" && agent != null) refer(`${index}.agent`, "agents", agent);
  },
  import: async (parsed, { deps, owner, idOf }) => {
    const tags = new Map((await listTags(deps, owner.id)).map((tag) => [tag.id, tag.name]));
    const stored = await readRows(deps, owner.id);
    const taken = new Set(
      stored.map((row) =>
        keyOf({ ...row, tag: row.tagId === null ? null : (tags.get(row.tagId) ?? null), agent: row.agentId }),
      ),
    );
    const added = parsed.flatMap((given) => {
      const agent = given.agent === null ? null : idOf("agents", given.agent);
      const here = { ...given, agent };
      if ((given.scope === "agent" && agent === null) || taken.has(keyOf(here)) || taken.size >= MAX_THRESHOLDS)
        return [];
      taken.add(keyOf(here));
      return [here];
    });
    const named = added.flatMap(({ tag }) => (tag === null ? [] : [{ name: tag }]));
    const tagIds = named.length > 0 ? await findOrCreateTags(deps.db, owner.id, named) : new Map<string, number>();
    const rows = added.map(({ tag, agent, ...setting }) => ({
      ...setting,
      userId: owner.id,
      agentId: agent,
      tagId: tag === null ? null : (tagIds.get(tagKey(tag)) ?? null),
    }));
    await insertMany(deps.db, thresholds, rows);
    return {
      created: added.length,
      skipped: parsed.length - added.length,
      stored: (after) => invalidateThresholds(after, owner.id),
    };
  },
});
