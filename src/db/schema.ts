import { sql } from "drizzle-orm";
import type { Language } from "../shared/language";
import type { CheckErrorCode, ErrorDetail } from "../shared/monitor";
import type { DeliveryErrorCode, EventKind, OutageKind, TargetType } from "../shared/notifications";
import type { Report, Sample } from "../shared/report";
import type { StatusGroup } from "../shared/status-page";
import { kit } from "./columns";

/*
 * The whole database schema. Read this first.
 *
 * Times are epoch milliseconds. A bucket is a time divided by its length: hour = at / 3,600,000, day = at / 86,400,000.
 * Foreign keys cascade where rows are few; history is deleted by its service, in the same transaction.
 */

/** Values that an installation generates for itself, such as the secret that signs sessions. */
export const appSettings = kit.table("app_settings", {
  key: kit.text().primaryKey(),
  value: kit.text().notNull(),
});

/** The hub processes on this database. One without a recent heartbeat is dead and its claims are void. */
export const instances = kit.table("instances", {
  id: kit.text().primaryKey(),
  seenAt: kit.long().notNull(),
});

export const users = kit.table(
  "users",
  {
    id: kit.id(),
    username: kit.text().notNull(),
    /** The name in lower case: unique whatever the case. */
    usernameKey: kit.text().notNull(),
    email: kit.text(),
    emailKey: kit.text(),
    passwordHash: kit.text().notNull(),
    role: kit.text().$type<"admin" | "user">().notNull(),
    /** The language of alerts. */
    language: kit.text().$type<Language>().notNull().default("zh-CN"),
    /** The IANA name of the time zone of times in alerts; null for UTC. */
    timeZone: kit.text(),
    /** Part of each session; incrementing it ends all sessions. */
    tokenVersion: kit.integer().notNull().default(0),
    createdAt: kit.long().notNull(),
  },
  (t) => [
    kit.unique("users_username_key_unique").on(t.usernameKey),
    kit.unique("users_email_key_unique").on(t.emailKey),
  ],
);

/** Credentials of programs, with read-only or full access to what their user may access. */
export const apiKeys = kit.table(
  "api_keys",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: kit.text().notNull(),
    scope: kit.text().$type<"read" | "full">().notNull(),
    /** SHA-256. The key itself is shown once and not stored. */
    hash: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** Null when it never expires. */
    expiresAt: kit.long(),
    /** With a resolution of one minute. */
    lastUsedAt: kit.long(),
  },
  (t) => [kit.unique("api_keys_hash_unique").on(t.hash), kit.index("api_keys_user_id_index").on(t.userId)],
);

/** Signed-in sessions. A session token names its row, and ends with it. */
export const sessions = kit.table(
  "sessions",
  {
    /** 128 random bits. */
    id: kit.text().primaryKey(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The client's User-Agent header, shortened. */
    userAgent: kit.text().notNull(),
    address: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** With a resolution of one minute. */
    lastSeenAt: kit.long().notNull(),
    expiresAt: kit.long().notNull(),
  },
  (t) => [kit.index("sessions_user_id_index").on(t.userId), kit.index("sessions_expires_at_index").on(t.expiresAt)],
);

/** Security events for administrators, kept for 90 days: sign-ins, refusals, changes of roles, accounts and keys. */
export const securityLog = kit.table(
  "security_log",
  {
    id: kit.id(),
    at: kit.long().notNull(),
    /** One of the kinds in shared/security-events.ts. */
    kind: kit.text().notNull(),
    /** The user who acted; null for a caller without a session. Not a foreign key: entries outlive users. */
    userId: kit.long(),
    /** The acting user's name, or the name that was tried. */
    username: kit.text().notNull(),
    address: kit.text().notNull(),
    /** What was acted on, such as the name of another user or of a key. */
    detail: kit.text().notNull(),
  },
  (t) => [kit.index("security_log_at_index").on(t.at)],
);

/** Clients from which users have signed in recently: they are exempt from limits that unknown clients exhaust. */
export const trustedClients = kit.table(
  "trusted_clients",
  {
    /** SHA-256 of the address and the user's name. */
    hash: kit.text().primaryKey(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** With a resolution of one day. */
    seenAt: kit.long().notNull(),
  },
  (t) => [kit.index("trusted_clients_user_id_index").on(t.userId)],
);

/** Failed sign-ins within the current window, by address and name, by address, and by name. */
export const loginFailures = kit.table("login_failures", {
  key: kit.text().primaryKey(),
  failures: kit.integer().notNull(),
  since: kit.long().notNull(),
});

/** Definitions of monitors, written when a user changes them. */
export const monitors = kit.table(
  "monitors",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: kit.text().notNull(),
    nameKey: kit.text().notNull().default(""), // For sorting: lib/sort-key.ts.
    /** One of the kinds in modules/monitors/kinds/registry.ts. */
    kind: kit.text().notNull(),
    /** The checked target as text for lists and search: a URL, or a host with its port. */
    target: kit.text().notNull(),
    /** The fields of its kind, without the large ones. */
    config: kit.json<Record<string, unknown>>().notNull(),
    /** Seconds. */
    interval: kit.integer().notNull(),
    /** Seconds. */
    timeout: kit.integer().notNull(),
    retries: kit.integer().notNull(),
    active: kit.flag().notNull(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
    /** The large fields of its kind, such as headers and a body. Last, so that other columns are read without it. */
    payload: kit.json<Record<string, unknown>>().notNull(),
  },
  (t) => [
    kit.index("monitors_user_id_created_at_index").on(t.userId, t.createdAt),
    // An import looks up the monitors with its names.
    kit.index("monitors_user_id_name_index").on(t.userId, t.name),
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
    /** Null while paused. */
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
    certExpiresAt: kit.long(),
    /** The hour of its oldest check in `pack`; null while that is empty. */
    packHour: kit.integer(),
    /** The checks that are not in a block yet, as modules/monitors/history/pack.ts encodes them. */
    pack: kit.bytes(),
  },
  (t) => [kit.index("monitor_states_next_check_at_index").on(t.nextCheckAt)],
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

/** Times during which no instance of the hub ran. */
export const hubGaps = kit.table("hub_gaps", {
  startedAt: kit.long().primaryKey(),
  endedAt: kit.long().notNull(),
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
  /** The distribution of response times, as lib/histogram.ts encodes it. */
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

/** Tokens that let one machine enroll. The token is shown once and not stored. The agent's first report voids it. */
export const enrollmentTokens = kit.table(
  "enrollment_tokens",
  {
    id: kit.id(),
    /** SHA-256. */
    hash: kit.text().notNull(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: kit.long().notNull(),
    expiresAt: kit.long().notNull(),
    /** SHA-256 of the secret of the machine that used it, which may use it again until its first report. */
    machineHash: kit.text(),
  },
  (t) => [
    kit.unique("enrollment_tokens_hash_unique").on(t.hash),
    kit.index("enrollment_tokens_user_id_index").on(t.userId),
  ],
);

/** Keys of deleted agents, stored for 90 days. Only reports with one of these are answered with agent_deleted. */
export const deletedAgents = kit.table(
  "deleted_agents",
  {
    keyHash: kit.text().primaryKey(),
    deletedAt: kit.long().notNull(),
  },
  (t) => [kit.index("deleted_agents_deleted_at_index").on(t.deletedAt)],
);

/** Reporting servers, written when one enrolls, is renamed or reports a changed identity. */
export const agents = kit.table(
  "agents",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the user's id and the machine's hash: a machine that enrolls again for the user keeps its agent. */
    enrollment: kit.text().notNull(),
    name: kit.text().notNull(),
    nameKey: kit.text().notNull().default(""), // For sorting: lib/sort-key.ts.
    hostname: kit.text().notNull(),
    ipAddresses: kit.json<string[]>().notNull(),
    os: kit.text().notNull(),
    version: kit.text().notNull(),
    createdAt: kit.long().notNull(),
  },
  (t) => [kit.unique("agents_enrolment_unique").on(t.enrollment), kit.index("agents_user_id_index").on(t.userId)],
);

/** State of each agent, written at each report. */
export const agentStates = kit.table(
  "agent_states",
  {
    agentId: kit
      .long()
      .primaryKey()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** SHA-256 of its report key. */
    keyHash: kit.text().notNull(),
    status: kit.text().$type<"connecting" | "active" | "inactive">().notNull(),
    /** Offline deadline: without a report by then it is inactive. */
    expiresAt: kit.long(),
    /** Seconds. */
    interval: kit.integer(),
    reportedAt: kit.long(),
    /** Hysteresis state of CPU, memory and disk, packed by notifications/rules/thresholds.ts. */
    levels: kit.integer().notNull().default(0),
    /** The time of the sample with these figures. */
    sampledAt: kit.long(),
    /** Percent. */
    cpu: kit.real(),
    /** Bytes. */
    memoryTotal: kit.real(),
    memoryUsed: kit.real(),
    diskTotal: kit.real(),
    diskUsed: kit.real(),
    /** KB/s. */
    networkRx: kit.real(),
    networkTx: kit.real(),
    /** Display-only facts: mounts, swap, load, boot time, the agent's version and unreadable disks. */
    extra: kit.json<AgentExtra>(),
  },
  (t) => [
    kit.unique("agent_states_key_hash_unique").on(t.keyHash),
    kit.index("agent_states_expires_at_index").on(t.expiresAt),
  ],
);

type AgentExtra = Pick<Sample, "disks" | "swap" | "load" | "boot_time"> &
  Pick<Report, "agent_version" | "unreadable_disks">;

/**
 * On SQLite: reports that are answered but not yet in states and packs, in the order of their batches. Each batch is a row,
 * as modules/agents/ingest/journal.ts encodes it.
 */
export const reportJournal = kit.table("report_journal", {
  /** Not generated: SQLite would write a page more for each row. */
  id: kit.long().primaryKey(),
  data: kit.bytes().notNull(),
});

/** The samples of each agent that are not in a block yet. Each report appends to its row. */
export const samplePacks = kit.table("sample_packs", {
  agentId: kit
    .long()
    .primaryKey()
    .references(() => agents.id, { onDelete: "cascade" }),
  /** The hour of its oldest sample; null while it is empty. */
  hour: kit.integer(),
  /** As modules/agents/history/samples.ts encodes them. */
  data: kit.bytes(),
});

/** Every sample of the past hours, for 30 days: one block for each agent and hour, as history/samples.ts encodes it. */
export const sampleBlocks = kit.table(
  "sample_blocks",
  {
    hour: kit.integer().notNull(),
    agentId: kit.long().notNull(),
    data: kit.bytes().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.hour, t.agentId] })],
);

const sampleSums = () => ({
  bucket: kit.integer().notNull(),
  agentId: kit.long().notNull(),
  /** Number of samples with the figure, and their sum. */
  cpuCount: kit.integer().notNull(),
  cpuTotal: kit.real().notNull(),
  cpuMax: kit.real(),
  memoryCount: kit.integer().notNull(),
  memoryTotal: kit.real().notNull(),
  diskCount: kit.integer().notNull(),
  diskTotal: kit.real().notNull(),
  networkCount: kit.integer().notNull(),
  rxTotal: kit.real().notNull(),
  txTotal: kit.real().notNull(),
});

/** Sums of the ten minutes of each past hour, for 30 days, as modules/agents/history/sums.ts encodes them. */
export const sampleTens = kit.table(
  "sample_tens",
  {
    hour: kit.integer().notNull(),
    agentId: kit.long().notNull(),
    data: kit.bytes().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.hour, t.agentId] })],
);

/** Sums of each past hour, for a year, written with its block. */
export const sampleHours = kit.table("sample_hours", sampleSums(), (t) => [
  kit.primaryKey({ columns: [t.bucket, t.agentId] }),
]);

/** Sums of each day, for a year, computed from its hours once no more samples of it are accepted. */
export const sampleDays = kit.table("sample_days", sampleSums(), (t) => [
  kit.primaryKey({ columns: [t.bucket, t.agentId] }),
]);

/** Destinations of alerts. */
export const channels = kit.table(
  "channels",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: kit.text().notNull(),
    type: kit.text().notNull(),
    config: kit.json<Record<string, string>>().notNull(),
    enabled: kit.flag().notNull(),
    /** Why the provider refused permanently, until a message is delivered again. */
    problemCode: kit.text().$type<DeliveryErrorCode>(),
    problemDetail: kit.json<ErrorDetail>(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [kit.index("channels_user_id_index").on(t.userId)],
);

/** Notification rules: for all of a user's monitors or agents (target 0), or for one of them. */
export const notificationRules = kit.table(
  "notification_rules",
  {
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    enabled: kit.flag().notNull(),
    overrideGlobal: kit.flag().notNull(),
    onDown: kit.flag().notNull(),
    onRecovery: kit.flag().notNull(),
    onOffline: kit.flag().notNull(),
    onCpuThreshold: kit.flag().notNull(),
    cpuThreshold: kit.real().notNull(),
    onMemoryThreshold: kit.flag().notNull(),
    memoryThreshold: kit.real().notNull(),
    onDiskThreshold: kit.flag().notNull(),
    diskThreshold: kit.real().notNull(),
    channels: kit.json<number[]>().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.userId, t.targetType, t.targetId] }),
    kit.index("notification_rules_target_index").on(t.targetType, t.targetId),
  ],
);

/** Monitors and agents whose events are withheld. A target has at most one mute; one that has ended is deleted. */
export const mutes = kit.table(
  "mutes",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    /** The owner of the target. */
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    mutedAt: kit.long().notNull(),
    /** Null when it has no fixed end. */
    endsAt: kit.long(),
    /** Whether it also ends when the target recovers. */
    untilRecovery: kit.flag().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.targetType, t.targetId] }),
    kit.index("mutes_user_id_index").on(t.userId),
    kit.index("mutes_ends_at_index").on(t.endsAt),
  ],
);

/**
 * Events, written in the transaction of the change. They hold everything a message needs. Target, kind and time are
 * unique, so that a repeated write changes nothing.
 */
export const events = kit.table(
  "events",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: kit.text().$type<EventKind>().notNull(),
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
    /** When its deliveries were planned; null: not yet. */
    plannedAt: kit.long(),
  },
  (t) => [
    kit.unique("events_subject_unique").on(t.targetType, t.targetId, t.kind, t.at),
    kit.index("events_user_id_index").on(t.userId, t.id),
    kit.index("events_planned_at_index").on(t.plannedAt),
  ],
);

/**
 * Outages: each is one interval during which a target is not well, written in the transaction of the change. A target
 * has at most one open outage of each kind.
 */
export const outages = kit.table(
  "outages",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    kind: kit.text().$type<OutageKind>().notNull(),
    /** When the first failed check started, or when the change of an agent was noticed. */
    startedAt: kit.long().notNull(),
    /** Null while it is open. */
    endedAt: kit.long(),
    /** Why the first check failed, and why the last one did. */
    errorCode: kit.text().$type<CheckErrorCode>(),
    errorDetail: kit.json<ErrorDetail>(),
    lastErrorCode: kit.text().$type<CheckErrorCode>(),
    /** Null for agents. */
    checksFailed: kit.integer(),
  },
  (t) => [
    kit.unique("outages_open_unique").on(t.targetType, t.targetId, t.kind).where(sql`ended_at is null`),
    kit.index("outages_target_index").on(t.targetType, t.targetId, t.id),
    kit.index("outages_user_id_index").on(t.userId, t.id),
    kit.index("outages_open_user_id_index").on(t.userId, t.id).where(sql`ended_at is null`),
    // The last one of a user that ended.
    kit.index("outages_user_id_ended_at_index").on(t.userId, t.endedAt),
    // The open ones in order, and those to purge.
    kit.index("outages_ended_at_index").on(t.endedAt, t.id),
  ],
);

/** The delivery of one event to one channel. */
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
    /** Withheld: a suppressor gave a reason not to send it. */
    state: kit.text().$type<"pending" | "sent" | "failed" | "withheld">().notNull(),
    attempts: kit.integer().notNull(),
    /** Null once it is sent, failed, cancelled or withheld. */
    nextAttemptAt: kit.long(),
    claimedBy: kit.text(),
    /** Why the last attempt failed or it is withheld, and the parameters of the code's text. */
    errorCode: kit.text().$type<DeliveryErrorCode>(),
    errorDetail: kit.json<ErrorDetail>(),
    createdAt: kit.long().notNull(),
    endedAt: kit.long(),
  },
  (t) => [
    kit.unique("deliveries_event_id_channel_id_unique").on(t.eventId, t.channelId),
    kit.index("deliveries_next_attempt_at_index").on(t.nextAttemptAt),
  ],
);

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
    monitors: kit.json<number[]>().notNull(),
    agents: kit.json<number[]>().notNull(),
    /** Named parts of the page, in order. Items in no group follow them. */
    groups: kit.json<StatusGroup[]>().notNull(),
    /** Which facts of the chosen servers are published besides their names and figures. */
    showHostname: kit.flag().notNull().default(false),
    showOs: kit.flag().notNull().default(false),
    showVersion: kit.flag().notNull().default(false),
    updatedAt: kit.long().notNull(),
  },
  (t) => [kit.unique("status_pages_slug_unique").on(t.slug)],
);
