import type { StatusGroup, StatusTheme } from "../../shared/status-page";
import { kit } from "../columns";
import { users } from "./accounts";

/** Public status pages, one per user. Ids of deleted monitors and agents are ignored. */
export const statusPages = kit.table(
  "status_pages",
  {
    userId: kit
      .long()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Its name in the URL, which never changes. */
    slug: kit.text().notNull(),
    title: kit.text().notNull(),
    description: kit.text().notNull(),
    logoUrl: kit.text().notNull(),
    customCss: kit.text().notNull(),
    theme: kit.text().$type<StatusTheme>().notNull().default("light"),
    monitors: kit.json<number[]>().notNull(),
    agents: kit.json<number[]>().notNull(),
    /** Named parts of the page, in order. Items in no group follow them. */
    groups: kit.json<StatusGroup[]>().notNull(),
    /** Which facts of the chosen servers are published besides their names and figures. */
    showHostname: kit.flag().notNull().default(true),
    showOs: kit.flag().notNull().default(true),
    showVersion: kit.flag().notNull().default(true),
    updatedAt: kit.long().notNull(),
  },
  (t) => [kit.unique("status_pages_slug_unique").on(t.slug)],
);
