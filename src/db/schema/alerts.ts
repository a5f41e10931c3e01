import { getTableColumns, sql } from "drizzle-orm";
import type { CheckErrorCode, ErrorDetail } from "../../shared/check-error";
import type {
  AcknowledgedVia,
  AlertFacts,
  DeliveryErrorCode,
  DeliveryPurpose,
  EventKind,
  OutageCause,
  OutageKind,
  StoredEventKind,
  TargetType,
} from "../../shared/notifications";
import type { UnsentReason } from "../../shared/outages/unsent-reasons";
import { kit } from "../columns";
import { owner } from "./accounts";

/**
 * Events, written in the transaction of the change. They hold everything a message needs. Target, kind and time are
 * unique, so that a repeated write changes nothing; a drill never takes the place of a change.
 */
export const events = kit.table(
  "events",
  {
    id: kit.id(),
    ...owner(),
    kind: kit.text().$type<StoredEventKind>().notNull(),
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    targetName: kit.text().notNull(),
    at: kit.long().notNull(),
    /** When the state that this event ends began. */
    since: kit.long(),
    /** Why a monitor went down. */
    errorCode: kit.text().$type<CheckErrorCode>(),
    errorDetail: kit.json<ErrorDetail>(),
    /** Percent, as measured and as set. */
    figure: kit.real(),
    threshold: kit.real(),
    mount: kit.text(),
    /** Which one of its target's parts it is about, where there may be several: a container, a unit; empty otherwise. */
    subject: kit.text().notNull().default(""),
    /** What else is known of the moment, such as the programs that used the most. */
    facts: kit.json<AlertFacts>(),
    /** Sent on request to try a policy: it describes no change, and belongs to no outage. */
    drill: kit.flag().notNull().default(false),
    /** The outage that it opens or ends. */
    outageId: kit.long(),
    /** Until then it is not planned, because the answer of a parent is awaited. */
    waitUntil: kit.long("hold_until"),
    /** When its deliveries were planned; null: not yet. */
    plannedAt: kit.long(),
    /** Why planning made no delivery; null where there is one, and for events planned before reasons were stored. */
    unsentReason: kit.text().$type<UnsentReason>(),
  },
  (t) => [
    kit.unique("events_subject_unique").on(t.targetType, t.targetId, t.kind, t.subject, t.at, t.drill),
    kit.index("events_user_id_index").on(t.userId),
    kit.index("events_team_id_id_index").on(t.teamId, t.id),
    kit.index("events_planned_at_index").on(t.plannedAt),
    kit.index("events_outage_id_index").on(t.outageId),
  ],
);

/** An event that opens or ends an outage, as all but reports do. */
export type OutageEvent = typeof events.$inferSelect & { kind: EventKind };
/** Its columns, for queries that find no reports. */
export const outageEventColumns = { ...getTableColumns(events), kind: sql<EventKind>`${events.kind}` };

/**
 * Intervals during which a target is not well, written in the transaction that changes its state.
 */
export const outages = kit.table(
  "outages",
  {
    id: kit.id(),
    ...owner(),
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    kind: kit.text().$type<OutageKind>().notNull(),
    /** As in its event. A target has at most one open outage of each kind and subject. */
    subject: kit.text().notNull().default(""),
    facts: kit.json<AlertFacts>(),
    /** When it began: the first failed check, the first report or ping that was missing, or the change of an agent. */
    startedAt: kit.long().notNull(),
    /** When its target was last known to be well; null where its start is exact or nothing is known of the time before. */
    startedAfter: kit.long(),
    /** From when it counts as down time, where that is earlier than its start. */
    countedFrom: kit.long(),
    /** The time of its opening event where that is later than its start: the deadline of a report or ping that was missing. */
    detectedAt: kit.long(),
    /** Null while it is open. */
    endedAt: kit.long(),
    /** Why the first check failed, and why the last one did. */
    errorCode: kit.text().$type<CheckErrorCode>(),
    errorDetail: kit.json<ErrorDetail>(),
    lastErrorCode: kit.text().$type<CheckErrorCode>(),
    /** Null for agents. */
    checksFailed: kit.integer(),
    /** The address that the last failed check connected to, or tried to; null when it is not known. */
    address: kit.text(),
    /** What probably explains it, as alerting/outages/causes finds it. */
    cause: kit.json<OutageCause>(),
    /**
     * The outage of a parent that explains this one. It is listed in the messages about that outage and has no messages of its
     * own.
     */
    explainedBy: kit.long(),
    /** Who acknowledged it, as a user or by the link in a message, and until when its escalation rests. */
    acknowledgedAt: kit.long(),
    acknowledgedBy: kit.text(),
    /** The channel whose message had the link; null for a user. */
    acknowledgedVia: kit.json<AcknowledgedVia>(),
    acknowledgedUntil: kit.long(),
    acknowledgedNote: kit.text(),
    /** What a member wrote about it, for example afterwards; who wrote it last, and when. */
    note: kit.text(),
    noteBy: kit.text(),
    noteAt: kit.long(),
    /** Its target changed so often that single changes were not sent. */
    flapping: kit.flag().notNull().default(false),
  },
  (t) => [
    kit.unique("outages_open_unique").on(t.targetType, t.targetId, t.kind, t.subject).where(sql`ended_at is null`),
    kit.index("outages_target_index").on(t.targetType, t.targetId, t.id),
    // The end is in the index, so that those that ended before a span are passed over without reading their rows.
    kit.index("outages_team_id_started_at_index").on(t.teamId, t.startedAt, t.endedAt),
    kit.index("outages_started_at_index").on(t.startedAt, t.endedAt),
    kit.index("outages_open_team_id_index").on(t.teamId, t.id).where(sql`ended_at is null`),
    kit.index("outages_user_id_index").on(t.userId),
    // The last one of a team that ended.
    kit.index("outages_team_id_ended_at_index").on(t.teamId, t.endedAt),
    kit.index("outages_explained_by_index").on(t.explainedBy),
    // The open ones in order, and those to purge.
    kit.index("outages_ended_at_index").on(t.endedAt, t.id),
  ],
);

/**
 * What is sent next for each open outage whose policy has more to send: the next step, or the next reminder. A row is
 * written when an outage is planned, and deleted when nothing more is to be sent.
 */
export const escalations = kit.table(
  "escalations",
  {
    outageId: kit
      .long()
      .primaryKey()
      .references(() => outages.id, { onDelete: "cascade" }),
    /** The event that opened the outage. */
    eventId: kit
      .long()
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** When steps are counted from: the start of the outage, or the end of its acknowledgement. */
    startedAt: kit.long().notNull(),
    /** The first step that is not planned yet. */
    nextStep: kit.integer().notNull(),
    /** How often the steps began again, because an acknowledgement was over: part of the sequences of deliveries. */
    round: kit.integer().notNull().default(0),
    /** Reminders that are planned already. */
    reminders: kit.integer().notNull(),
    /** When reminders are counted from: the last one, or else the first message. */
    remindedAt: kit.long().notNull(),
    /** Next evaluation time, at or before the next due step. */
    nextAt: kit.long().notNull(),
  },
  (t) => [kit.index("escalations_next_at_index").on(t.nextAt)],
);

/**
 * Targets whose state, or one of whose figures, changes too often: changes are not sent until it has been in one state for
 * a while.
 */
export const flappingTargets = kit.table(
  "flapping_targets",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    /** What changes: the kind of its outages. */
    kind: kit.text().$type<OutageKind>().notNull(),
    ...owner(),
    /** Its last change, and how many there were. */
    eventId: kit.long().notNull(),
    changes: kit.integer().notNull(),
    /** When it is stable unless it changes again. */
    settlesAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("flapping_targets_team_id_index").on(t.teamId),
    kit.primaryKey({ columns: [t.targetType, t.targetId, t.kind] }),
    kit.index("flapping_targets_settles_at_index").on(t.settlesAt),
    kit.index("flapping_targets_user_id_index").on(t.userId),
  ],
);

/** One message about an event to one channel. */
export const deliveries = kit.table(
  "deliveries",
  {
    id: kit.id(),
    eventId: kit
      .long()
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    /** Channel 0 is the built-in one. */
    channelId: kit.long().notNull(),
    channelName: kit.text().notNull(),
    channelType: kit.text().notNull(),
    /** Why it is sent, and which one of its purpose: the step of the policy, or the number of the reminder. */
    purpose: kit.text().$type<DeliveryPurpose>().notNull().default("alert"),
    sequence: kit.integer().notNull().default(0),
    /** Withheld: there was a reason not to send it. */
    state: kit.text().$type<"pending" | "sent" | "failed" | "withheld">().notNull(),
    attempts: kit.integer().notNull(),
    /** Null once it is sent, failed, cancelled or withheld. */
    nextAttemptAt: kit.long(),
    claimedBy: kit.text(),
    /** Why the last attempt failed or it is withheld, and the parameters of the code's text. */
    errorCode: kit.text().$type<DeliveryErrorCode>(),
    errorDetail: kit.json<ErrorDetail>(),
    /** The first delivery of the message that this one was sent in, together with others; null when sent by itself. */
    digestId: kit.long(),
    /** How many seconds it may be sent early, together with others that are due; 0 for a message of its own. */
    groupSeconds: kit.integer().notNull().default(0),
    createdAt: kit.long().notNull(),
    /** When its first attempt was due: later than `createdAt` by grouping or quiet hours. */
    dueAt: kit.long().notNull(),
    endedAt: kit.long(),
  },
  (t) => [
    kit.unique("deliveries_message_unique").on(t.eventId, t.channelId, t.purpose, t.sequence),
    kit.index("deliveries_next_attempt_at_index").on(t.nextAttemptAt),
    kit
      .index("deliveries_waiting_channel_index")
      .on(t.channelId, t.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    // The last one of a channel that was sent or given up.
    kit.index("deliveries_channel_result_index").on(t.channelId, t.endedAt).where(sql`state in ('sent', 'failed')`),
  ],
);
