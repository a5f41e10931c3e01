import { kit } from "../columns";
import { owner } from "./accounts";

/** The imported objects of other products and their targets here, so that a second import of a file adds nothing. */
export const imports = kit.table(
  "imports",
  {
    ...owner(),
    /** One of the sources in modules/transfer/sources/registry.ts. */
    source: kit.text().notNull(),
    /** Identifies the installation that the object is from; empty if its file does not say. */
    sourceId: kit.text().notNull(),
    externalId: kit.text().notNull(),
    targetType: kit
      .text()
      .$type<
        | ("monitors" | "channels" | "policies" | "agents" | "thresholds" | "windows")
        | ("status_page" | "pages" | "incidents")
      >()
      .notNull(),
    /** The target may be deleted since. */
    targetId: kit.long().notNull(),
    /** A hash of the object as it was read, to find changes at the source. */
    digest: kit.text().notNull(),
    importedAt: kit.long().notNull(),
    /** Until when the history of a monitor is from the source; null without any. */
    historyUntil: kit.long(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.teamId, t.source, t.sourceId, t.externalId] }),
    kit.index("imports_user_id_index").on(t.userId),
    kit.index("imports_target_index").on(t.targetType, t.targetId),
  ],
);
