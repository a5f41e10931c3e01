import { sql } from "drizzle-orm";
import type { Language } from "../../shared/language";
import type { ComponentStatus } from "../../shared/status/components";
import type { NoticeKind, SubscriberKind, WindowStage } from "../../shared/status/subscribers";
import { kit } from "../columns";
import { incidentUpdates } from "./incidents";
import { statusPages } from "./pages";

/** Visitors who get the incidents and maintenance of a status page. Only confirmed ones get them. */
export const subscribers = kit.table(
  "subscribers",
  {
    id: kit.id(),
    pageId: kit
      .long()
      .notNull()
      .references(() => statusPages.id, { onDelete: "cascade" }),
    kind: kit.text().$type<SubscriberKind>().notNull(),
    /** An e-mail address, or the URL of a webhook. */
    address: kit.text().notNull(),
    /** The address in the spelling that is unique on a page. */
    addressKey: kit.text().notNull(),
    /** Ids of components of the page; deleted ones are ignored. Null for all. */
    components: kit.json<number[]>(),
    language: kit.text().$type<Language>().notNull(),
    /** Part of the signature of their links, so that a later row with the same id has others. */
    nonce: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    confirmedAt: kit.long(),
    /** Permanent refusals in a row. */
    failures: kit.integer().notNull().default(0),
    /** When too many refusals have ended it. */
    endedAt: kit.long(),
  },
  (t) => [
    kit.unique("subscribers_page_id_address_key_unique").on(t.pageId, t.addressKey),
    kit.index("subscribers_unconfirmed_index").on(t.createdAt).where(sql`confirmed_at is null`),
  ],
);

/** A component whose state has changed with an update of an incident. */
type StateChange = { id: number; from: ComponentStatus; to: ComponentStatus };

/** Subjects of messages to the subscribers of a page: an update of an incident, or a stage of scheduled maintenance. */
export const announcements = kit.table(
  "announcements",
  {
    id: kit.id(),
    pageId: kit
      .long()
      .notNull()
      .references(() => statusPages.id, { onDelete: "cascade" }),
    /** Null for maintenance. */
    updateId: kit.long().references(() => incidentUpdates.id, { onDelete: "cascade" }),
    changes: kit.json<StateChange[]>().notNull(),
    /** Null for incidents. The window may be deleted by now. */
    windowId: kit.long(),
    stage: kit.text().$type<WindowStage>(),
    title: kit.text().notNull(),
    /** When the maintenance begins and ends. */
    fromAt: kit.long(),
    toAt: kit.long(),
    /** The components of the page that the maintenance is about. */
    components: kit.json<number[]>().notNull(),
    createdAt: kit.long().notNull(),
    /** The last subscriber whose notices are in the queue. */
    reached: kit.long().notNull().default(0),
    /** When the notices of all subscribers were in the queue. */
    queuedAt: kit.long(),
  },
  (t) => [
    kit.unique("announcements_page_id_update_id_unique").on(t.pageId, t.updateId),
    kit.unique("announcements_page_id_window_id_from_at_stage_unique").on(t.pageId, t.windowId, t.fromAt, t.stage),
    kit.index("announcements_update_id_index").on(t.updateId),
    kit.index("announcements_open_index").on(t.id).where(sql`queued_at is null`),
    kit.index("announcements_created_at_index").on(t.createdAt),
  ],
);

/** Messages to subscribers that wait to be sent. They are written when they are sent. */
export const notices = kit.table(
  "notices",
  {
    id: kit.id(),
    subscriberId: kit
      .long()
      .notNull()
      .references(() => subscribers.id, { onDelete: "cascade" }),
    /** The kind of the subscriber: each has a budget of its own. */
    channel: kit.text().$type<SubscriberKind>().notNull(),
    kind: kit.text().$type<NoticeKind>().notNull(),
    /** Null for messages about the subscription itself. */
    announcementId: kit.long().references(() => announcements.id, { onDelete: "cascade" }),
    /** The place of a component in the changes of the announcement; 0 otherwise. */
    part: kit.integer().notNull(),
    createdAt: kit.long().notNull(),
    /** When it is sent, or tried again. */
    dueAt: kit.long().notNull(),
    attempts: kit.integer().notNull().default(0),
    /** The instance that is sending it. */
    claimedBy: kit.text(),
  },
  (t) => [
    kit.unique("notices_announcement_unique").on(t.announcementId, t.subscriberId, t.kind, t.part),
    kit.index("notices_channel_due_at_index").on(t.channel, t.dueAt),
    kit.index("notices_subscriber_id_index").on(t.subscriberId),
  ],
);
