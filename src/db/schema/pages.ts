import type { Period } from "../../shared/reports/period";
import type { ReportInterval } from "../../shared/reports/schedule";
import type { PageAccess } from "../../shared/status/access";
import type { AutoIncidents } from "../../shared/status/auto-incidents";
import type { ComponentShow, ComponentStatus, ComponentTarget } from "../../shared/status/components";
import type { StatusGroup, StatusTheme } from "../../shared/status-page";
import { kit } from "../columns";
import { owner } from "./accounts";

/** Public status pages. The first page of a team has the lowest id. Ids of deleted monitors and agents are ignored. */
export const statusPages = kit.table(
  "status_pages",
  {
    id: kit.id(),
    ...owner(),
    /** Its id in Statuspage's format: 12 random letters. */
    key: kit.text().notNull(),
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
    /** Days of history, including today. */
    historyDays: kit.integer().notNull().default(90),
    /** The zone of the months of its history. */
    zone: kit.text().notNull().default("UTC"),
    /** The incidents that the hub publishes by itself; null for none. */
    autoIncidents: kit.json<AutoIncidents>(),
    /** Outages that began before this time are not published: their incident was deleted. */
    autoSince: kit.long().notNull().default(0),
    /** Whether search engines are asked not to list it. */
    noindex: kit.flag().notNull().default(false),
    access: kit.text().$type<PageAccess>().notNull().default("public"),
    /** Argon2id. Null also with `access: "password"` after an import: then no password opens the page. */
    passwordHash: kit.text(),
    /** Raised when the access or the password changes, which ends the access of earlier visitors. */
    accessVersion: kit.integer().notNull().default(1),
    /** The hash of the key for programs that read a private page. */
    accessKeyHash: kit.text(),
    /** Whether a private page has its title above the form that asks for its password. */
    titlePublic: kit.flag().notNull().default(false),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.unique("status_pages_slug_unique").on(t.slug),
    kit.unique("status_pages_key_unique").on(t.key),
    kit.index("status_pages_team_id_index").on(t.teamId),
    kit.index("status_pages_user_id_index").on(t.userId),
  ],
);

/**
 * Components of status pages. Monitors, agents and tags in the lists of a page have one each, with `listed`, so that
 * they have a stable key and incidents can name them; the lists hold their order and groups.
 */
export const pageComponents = kit.table(
  "page_components",
  {
    id: kit.id(),
    pageId: kit
      .long()
      .notNull()
      .references(() => statusPages.id, { onDelete: "cascade" }),
    ...owner(),
    /** Its id in Statuspage's format: 12 random letters. */
    key: kit.text().notNull(),
    listed: kit.flag().notNull(),
    position: kit.integer().notNull(),
    /** Empty for none. */
    groupName: kit.text().notNull(),
    /** Null for the name of its target. */
    name: kit.text(),
    description: kit.text().notNull(),
    target: kit.json<ComponentTarget>().notNull(),
    /** The status while it is set by hand; null for the measured one. */
    fixedStatus: kit.text().$type<ComponentStatus>(),
    show: kit.text().$type<ComponentShow>().notNull(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.unique("page_components_key_unique").on(t.key),
    kit.index("page_components_page_id_index").on(t.pageId, t.position),
    kit.index("page_components_team_id_index").on(t.teamId),
    kit.index("page_components_user_id_index").on(t.userId),
  ],
);

/** Own domains of pages, in the order of their ids. Links to a page use its first one. */
export const pageDomains = kit.table(
  "page_domains",
  {
    id: kit.id(),
    pageId: kit
      .long()
      .notNull()
      .references(() => statusPages.id, { onDelete: "cascade" }),
    /** In lower case, and as punycode. */
    domain: kit.text().notNull(),
  },
  (t) => [kit.unique("page_domains_domain_unique").on(t.domain), kit.index("page_domains_page_id_index").on(t.pageId)],
);

/** Addresses of the wall that are opened without a session, each with a secret. */
export const wallKeys = kit.table(
  "wall_keys",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    /** Shows only targets with this tag, as `name` or `name:value`; null for all of the user's. */
    tag: kit.text(),
    /** SHA-256. The key itself is shown once and not stored. */
    hash: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** With a resolution of one minute. */
    lastUsedAt: kit.long(),
  },
  (t) => [
    kit.index("wall_keys_team_id_index").on(t.teamId),
    kit.unique("wall_keys_hash_unique").on(t.hash),
    kit.index("wall_keys_user_id_index").on(t.userId),
  ],
);

/** Links that show a report to everyone who has them. */
export const reportLinks = kit.table(
  "report_links",
  {
    id: kit.id(),
    ...owner(),
    /** SHA-256. The token itself is shown once and not stored. */
    hash: kit.text().notNull(),
    name: kit.text().notNull(),
    /** As in the API. */
    scope: kit.text().notNull(),
    /** Null for a period that is fixed. */
    period: kit.text().$type<Period>(),
    fromAt: kit.long(),
    toAt: kit.long(),
    zone: kit.text().notNull(),
    /** Percent. */
    target: kit.real(),
    /** Whether it shows reasons, causes and notes. */
    details: kit.flag().notNull(),
    createdAt: kit.long().notNull(),
    /** With a resolution of one minute. */
    openedAt: kit.long(),
  },
  (t) => [
    kit.index("report_links_team_id_index").on(t.teamId),
    kit.unique("report_links_hash_unique").on(t.hash),
    kit.index("report_links_user_id_index").on(t.userId),
  ],
);

/** Scheduled reports. */
export const reportSchedules = kit.table(
  "report_schedules",
  {
    id: kit.id(),
    ...owner(),
    every: kit.text().$type<ReportInterval>().notNull(),
    /** 0 to 23, of the zone. */
    hour: kit.integer().notNull(),
    zone: kit.text().notNull(),
    /** As in the API. */
    scope: kit.text().notNull(),
    /** Percent. */
    target: kit.real(),
    channels: kit.json<number[]>().notNull(),
    /** Whether its messages have a link that needs no session, and whether that shows reasons, causes and notes. */
    share: kit.flag().notNull(),
    details: kit.flag().notNull(),
    nextAt: kit.long().notNull(),
    /** The last period that was sent, as shared/reports/schedule.ts names it. */
    sentPeriod: kit.text(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("report_schedules_team_id_index").on(t.teamId),
    kit.index("report_schedules_user_id_index").on(t.userId),
    kit.index("report_schedules_next_at_index").on(t.nextAt),
  ],
);
