import type { MachineClock, MachineFacts, Report, Sample } from "../../shared/agents/report";
import type { ServerPlan } from "../../shared/agents/server-plan";
import type { AlarmState, ThresholdMetric, ThresholdScope } from "../../shared/agents/thresholds";
import { kit } from "../columns";
import { owner } from "./accounts";
import { tags } from "./tags";

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
    ...owner(),
    /** SHA-256 of the team's id and the machine's hash: a machine that enrolls again for the team keeps its agent. */
    enrollment: kit.text().notNull(),
    name: kit.text().notNull(),
    nameKey: kit.text().notNull().default(""), // For sorting: lib/sort-key.ts.
    hostname: kit.text().notNull(),
    ipAddresses: kit.json<string[]>().notNull(),
    os: kit.text().notNull(),
    version: kit.text().notNull(),
    /** The version of the agent program; empty before its first report. And when another one reported for the first time. */
    agentVersion: kit.text().notNull().default(""),
    agentUpdatedAt: kit.long(),
    createdAt: kit.long().notNull(),
    /** What its owner entered about its provider; null: nothing. */
    plan: kit.json<ServerPlan>(),
    /** The names of its further figures: the number of a figure in stored samples is its position. */
    series: kit.json<string[]>(),
    /** When its disks will be full, as of the last hourly evaluation; null before the first. */
    diskForecasts: kit.json<DiskForecasts>(),
  },
  (t) => [
    kit.index("agents_team_id_index").on(t.teamId),
    kit.unique("agents_enrolment_unique").on(t.enrollment),
    kit.index("agents_user_id_index").on(t.userId),
  ],
);

/** Times in epoch milliseconds. Disks without enough history are absent. */
export type DiskForecasts = {
  /** The earliest time; null while no disk fills up. */
  first: number | null;
  /** Null: it does not grow. */
  disks: [mount: string, fullAt: number | null][];
};

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
    /** When it reported for the first time: it is watched since then. */
    firstReportedAt: kit.long(),
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
    /** The newest of everything else that it reports. */
    extra: kit.json<ServerExtra>(),
    /** Its traffic counters, and the traffic of days that is not in `traffic_days` yet. */
    traffic: kit.json<TrafficState>(),
    /** Thresholds that its figures are above, or were until now, and what else its alerts depend on; null: nothing. */
    alarms: kit.json<AlarmState[]>(),
  },
  (t) => [
    kit.unique("agent_states_key_hash_unique").on(t.keyHash),
    kit.index("agent_states_expires_at_index").on(t.expiresAt),
  ],
);

type ServerExtra = Pick<
  Sample,
  "disks" | "swap" | "load" | "boot_time" | "cpu_parts" | "disk_activity" | "interfaces" | "temperatures"
> &
  Pick<Report, "agent_version" | "agent_kind" | "agent_platform" | "unreadable_disks"> &
  MachineFacts & {
    /** Absent while it agrees with the hub's. */
    clock?: MachineClock;
  };

/** The traffic counters of an agent as of one of its samples. */
export type TrafficState = {
  /** The time of that sample, in epoch milliseconds. */
  at: number;
  /** Grows with each change, so that two changes of one state are not both stored. */
  revision: number;
  boot: string;
  /** Bytes received and sent, by interface, also of interfaces that are absent now. */
  counters: Record<string, [rx: number, tx: number]>;
  /** Counters of other starts within the last day, the latest first: two machines may report with one key. */
  others?: { at: number; boot: string; counters: Record<string, [rx: number, tx: number]> }[];
  /** Bytes received and sent on days that are not in `traffic_days` yet, by the number of the day. */
  days: Record<string, [rx: number, tx: number]>;
};

/** The traffic of each server on each past day of its plan's time zone, for 400 days. */
export const trafficDays = kit.table(
  "traffic_days",
  {
    agentId: kit
      .long()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** Days from 1970-01-01 to the date in the plan's time zone. */
    day: kit.integer().notNull(),
    /** Bytes. */
    rx: kit.long().notNull(),
    tx: kit.long().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.agentId, t.day] }), kit.index("traffic_days_day_index").on(t.day)],
);

/** Alerts about a server's quota and contract that were written, so that each is written once. */
export const planAlerts = kit.table(
  "plan_alerts",
  {
    agentId: kit
      .long()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    kind: kit.text().$type<"traffic" | "contract">().notNull(),
    /** The number of the first day of the month, or of the last day of the contract. */
    day: kit.integer().notNull(),
    /** Percent of the quota, or days before the end. */
    level: kit.integer().notNull(),
    at: kit.long().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.agentId, t.kind, t.day, t.level] })],
);

/** Thresholds of a user's servers: for all servers, those with a tag, or one. Three of them belong to each rule about servers. */
export const thresholds = kit.table(
  "thresholds",
  {
    id: kit.id(),
    ...owner(),
    scope: kit.text().$type<ThresholdScope>().notNull(),
    tagId: kit.long().references(() => tags.id, { onDelete: "cascade" }),
    agentId: kit.long().references(() => agents.id, { onDelete: "cascade" }),
    metric: kit.text().$type<ThresholdMetric>().notNull(),
    /** The mount point or sensor; empty: each of them. */
    subject: kit.text().notNull().default(""),
    threshold: kit.real().notNull(),
    /** Below which it is normal again. */
    clear: kit.real().notNull(),
    /** Null: it belongs to a notification rule. Two reports in a row are above or below, and of disks the fullest counts. */
    minutes: kit.integer(),
    /** Of a rule: whether it alerts. Null while the rule for all servers counts instead. */
    enabled: kit.flag().default(true),
  },
  (t) => [
    kit.index("thresholds_user_id_index").on(t.userId),
    kit.index("thresholds_team_id_agent_id_index").on(t.teamId, t.agentId),
    kit.index("thresholds_agent_id_index").on(t.agentId),
  ],
);

/**
 * On SQLite: reports that are answered but not yet in states and packs, in the order of their batches. Each batch is a row,
 * as modules/servers/ingest/journal/journal.ts encodes it.
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
  /** As modules/servers/history/samples.ts encodes them. */
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

/** Sums of the ten minutes of each past hour, for 30 days, as modules/servers/history/sums.ts encodes them. */
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
