import type { TargetType } from "../../shared/notifications";
import { kit } from "../columns";
import { owner } from "./accounts";

/** Tags of a user: a name and a colour. */
export const tags = kit.table(
  "tags",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    /** One of TAG_COLOURS. */
    colour: kit.text().notNull(),
  },
  (t) => [kit.unique("tags_team_id_name_unique").on(t.teamId, t.name), kit.index("tags_user_id_index").on(t.userId)],
);

/** The tags of monitors and servers. */
export const targetTags = kit.table(
  "target_tags",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    tagId: kit
      .long()
      .notNull()
      .references(() => tags.id, { onDelete: "cascade" }),
    /** The owner of both. */
    ...owner(),
    /** Distinguishes targets with one tag, such as a region; empty for none. */
    value: kit.text().notNull().default(""),
  },
  (t) => [
    kit.index("target_tags_team_id_index").on(t.teamId),
    kit.primaryKey({ columns: [t.targetType, t.targetId, t.tagId] }),
    kit.index("target_tags_tag_id_index").on(t.tagId, t.targetType),
    kit.index("target_tags_user_id_index").on(t.userId),
  ],
);
