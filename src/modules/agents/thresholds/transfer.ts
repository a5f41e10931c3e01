import { sql } from "drizzle-orm";
import { type Static, t } from "elysia";
import { thresholds } from "../../../db/schema";
import { withValues } from "../../../db/sql";
import { id, list, nullable, object, text } from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { MAX_THRESHOLDS, THRESHOLD_SCOPES, type ThresholdSetting } from "../../../shared/agents/thresholds";
import { tagKey } from "../../../shared/tags";
import { tagName } from "../../tags/model";
import { createTags, listTags, resolveTags, tagIdByName } from "../../tags/service";
import { atMost, definePart, fileId } from "../../transfer/part";
import { invalidateThresholds } from "./effective";
import { completed, settingErrors, settingFields, Threshold } from "./model";
import { hasRoom, isFree, readRows } from "./service";

const { scope, metric, threshold, clear, minutes } = Threshold.properties;

const sentThreshold = t.Object({
  scope: oneOf(THRESHOLD_SCOPES),
  tag: t.Optional(t.Union([tagName, t.Null()], { error: "expected the name of a tag, or null" })),
  agent: t.Optional(t.Union([fileId, t.Null()])),
  ...settingFields,
});
type Sent = Static<typeof sentThreshold>;
type Place = { scope: string; tag: string | null; agent: number | null };

const SENT = {
  scope: "text",
  tag: "text",
  agent_id: "bigint",
  metric: "text",
  subject: "text",
  threshold: "double precision",
  clear: "double precision",
  minutes: "integer",
} as const;

const rowOf = (given: Place & ThresholdSetting) => [
  given.scope,
  given.tag,
  given.agent,
  given.metric,
  given.subject,
  given.threshold,
  given.clear,
  given.minutes,
];

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
  plan: async (parsed, { deps, owner, idOf }) => {
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
    const named = new Map(added.flatMap(({ tag }) => (tag === null ? [] : [[tagKey(tag), { name: tag, value: "" }]])));
    const [wanted] = await resolveTags(deps, owner.id, [{ id: 0, tags: [...named.values()] }]);
    return {
      created: added.length,
      skipped: parsed.length - added.length,
      // Tags that monitors and servers of the file have are created by the statements of earlier parts.
      statements: ({ condition }) =>
        added.length === 0
          ? []
          : [
              ...createTags(owner.id, wanted?.tags ?? [], condition),
              sql`${withValues("sent", SENT, added.map(rowOf))}, given as (
                  select sent.*, ${tagIdByName(owner.id, sql`sent.tag`)} as tag_id from sent)
                insert into ${thresholds} (scope, tag_id, agent_id, metric, subject, threshold, clear, minutes, user_id)
                select scope, tag_id, agent_id, metric, subject, threshold, clear, minutes, cast(${owner.id} as bigint)
                from given where ${condition} and (given.scope <> 'tag' or given.tag_id is not null)
                  and ${isFree(owner.id)} and ${hasRoom(owner.id)}`,
            ],
      written: () => invalidateThresholds(deps, owner.id),
    };
  },
});
