import type { Registration } from "../../shared/domains/registration";
import type { TargetType } from "../../shared/notifications";
import type { ObjectivePeriod } from "../../shared/outages/objectives";
import type { HubGapReason } from "../../shared/outages/unknown";
import { kit } from "../columns";
import { owner } from "./accounts";
import { tags } from "./tags";

/** Definitions of monitors, written when a user changes them. */
export const monitors = kit.table(
  "monitors",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    nameKey: kit.text().notNull().default(""), // For sorting: lib/sort-key.ts.
    /** One of the kinds in modules/monitors/kinds/registry.ts. */
    kind: kit.text().notNull(),
    /** The checked target as text for lists and search: a URL, or a host with its port. */
    target: kit.text().notNull(),
    /** The host of the target, without brackets, to find the other monitors of the same host; empty for none. */
    host: kit.text().notNull().default(""),
    /** The fields of its kind, without the large ones. */
    config: kit.json<Record<string, unknown>>().notNull(),
    /** Seconds. */
    interval: kit.integer().notNull(),
    /** Seconds. */
    timeout: kit.integer().notNull(),
    retries: kit.integer().notNull(),
    /** Seconds between a failed request and its retry. */
    retryPause: kit.integer().notNull().default(1),
    /** Whether it is checked more often while an outage is new. */
    quickRecheck: kit.flag().notNull().default(true),
    active: kit.flag().notNull(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
    /** The large fields of its kind, such as headers and a body. Last, so that other columns are read without it. */
    payload: kit.json<Record<string, unknown>>().notNull(),
  },
  (t) => [
    kit.index("monitors_user_id_index").on(t.userId),
    kit.index("monitors_team_id_created_at_index").on(t.teamId, t.createdAt),
    // An import looks up the monitors with its names.
    kit.index("monitors_team_id_name_index").on(t.teamId, t.name),
    kit.index("monitors_team_id_host_index").on(t.teamId, t.host),
  ],
);

/**
 * State of each monitor. Each check is appended to its row, and moved to a block once an hour, so the rows are narrow.
 * On SQLite the due times are held in memory (engine/memory-schedule.ts): `dueAt` and `claimedBy` are null there, and
 * `nextCheckAt` is the time of the change that made the monitor due at once.
 */
export const monitorStates = kit.table(
  "monitor_states",
  {
    monitorId: kit
      .long()
      .primaryKey()
      .references(() => monitors.id, { onDelete: "cascade" }),
    /** Null while paused; NEVER of src/shared/monitor.ts for a kind that is not checked. */
    nextCheckAt: kit.long(),
    /** When the check in progress was due. */
    dueAt: kit.long(),
    /** The instance that is running a check. */
    claimedBy: kit.text(),
    /** Incremented with each change of the definition; results of older revisions are dropped. */
    revision: kit.integer().notNull().default(0),
    status: kit.text().$type<"up" | "down" | "pending">().notNull(),
    /** When it last went up or down. */
    changedAt: kit.long(),
    /** Milliseconds. */
    responseTime: kit.real(),
    lastCheckedAt: kit.long(),
    firstCheckedAt: kit.long(),
    /** Of a domain: when its registration does. */
    certExpiresAt: kit.long(),
    /** SHA-256 of the server's certificate, or the expiry of a domain as text; null until one was seen. */
    certFingerprint: kit.text(),
    /** The DNS records or the registration that its last check found; null for other kinds, and when it found none. */
    records: kit.json<string[] | Registration>(),
    /** Which of its last five answers were slow, the latest in the lowest bit. It is degraded while three or more are. */
    slowBits: kit.integer().notNull().default(0),
    /** The hour of its oldest check in `pack`; null while that is empty. */
    packHour: kit.integer(),
    /** The checks that are not in a block yet, as modules/monitors/history/pack.ts encodes them. */
    pack: kit.bytes(),
  },
  (t) => [kit.index("monitor_states_next_check_at_index").on(t.nextCheckAt)],
);

/** Alerts that were written because a certificate expires soon: one for each threshold. */
export const certificateAlerts = kit.table(
  "certificate_alerts",
  {
    monitorId: kit
      .long()
      .notNull()
      .references(() => monitors.id, { onDelete: "cascade" }),
    fingerprint: kit.text().notNull(),
    /** The threshold in days. */
    days: kit.integer().notNull(),
    at: kit.long().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.monitorId, t.fingerprint, t.days] })],
);

/** Uptime objectives: of one monitor, or of each of a user's monitors with a tag. */
export const objectives = kit.table(
  "objectives",
  {
    id: kit.id(),
    ...owner(),
    /** One of the two is null. */
    monitorId: kit.long().references(() => monitors.id, { onDelete: "cascade" }),
    tagId: kit.long().references(() => tags.id, { onDelete: "cascade" }),
    /** Percent. */
    target: kit.real().notNull(),
    period: kit.text().$type<ObjectivePeriod>().notNull(),
    /** Whether events are written when its budget burns or is spent. */
    alerts: kit.flag().notNull(),
  },
  (t) => [
    kit.index("objectives_team_id_index").on(t.teamId),
    kit.index("objectives_user_id_index").on(t.userId),
    kit.unique("objectives_monitor_id_index").on(t.monitorId),
    kit.unique("objectives_tag_id_index").on(t.tagId),
  ],
);

/** When each monitor was paused: from then on nothing is known of it. */
export const monitorPauses = kit.table(
  "monitor_pauses",
  {
    monitorId: kit
      .long()
      .notNull()
      .references(() => monitors.id, { onDelete: "cascade" }),
    startedAt: kit.long().notNull(),
    /** Null while it is paused. */
    endedAt: kit.long(),
  },
  (t) => [kit.primaryKey({ columns: [t.monitorId, t.startedAt] })],
);

/** Gaps: no instance of the hub could know anything. None overlap, and at most one is open. */
export const hubGaps = kit.table("hub_gaps", {
  startedAt: kit.long().primaryKey(),
  /** Null while it lasts. */
  endedAt: kit.long(),
  reason: kit.text().$type<HubGapReason>().notNull().default("hub_stopped"),
  /** Whether administrators were notified of it, or need not be. */
  announced: kit.flag().notNull().default(true),
});

/** The last 40 checks of each monitor before those in its pack, encoded like a pack and written with its blocks. */
export const recentChecks = kit.table("recent_checks", {
  monitorId: kit
    .long()
    .primaryKey()
    .references(() => monitors.id, { onDelete: "cascade" }),
  checks: kit.bytes().notNull(),
});

/** Every check of the past hours, for a year: one block for each monitor and hour, as history/block.ts encodes it. */
export const checkBlocks = kit.table(
  "check_blocks",
  {
    hour: kit.integer().notNull(),
    monitorId: kit.long().notNull(),
    data: kit.bytes().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.hour, t.monitorId] })],
);

const sums = () => ({
  bucket: kit.integer().notNull(),
  monitorId: kit.long().notNull(),
  up: kit.integer().notNull(),
  down: kit.integer().notNull(),
  /** Of the answered checks: their number, and their response times in milliseconds. */
  answered: kit.integer().notNull(),
  totalTime: kit.real().notNull(),
  minTime: kit.real(),
  maxTime: kit.real(),
  /** The distribution of response times, as history/histogram.ts encodes it. */
  histogram: kit.bytes(),
});

/** Sums of each past hour, for a year, written with its block. The running hour is in `pack`. */
export const checkHours = kit.table("check_hours", sums(), (t) => [
  kit.primaryKey({ columns: [t.bucket, t.monitorId] }),
]);

/** Sums of the past hours of each day (UTC), without expiry. */
export const checkDays = kit.table("check_days", sums(), (t) => [kit.primaryKey({ columns: [t.bucket, t.monitorId] })]);

/** Monitors and agents deleted with their user, whose history is still to be deleted. */
export const pendingPurges = kit.table(
  "pending_purges",
  {
    kind: kit.text().$type<TargetType>().notNull(),
    id: kit.long().notNull(),
    /** Nothing was recorded before. */
    since: kit.long().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.kind, t.id] })],
);
