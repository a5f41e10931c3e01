/** The form of notification rules in calls, answers and exported files: a switch for each group of events. */
import type { Static } from "@sinclair/typebox";
import { boolean, component, id, integer, list, nullable, number, object, record } from "../../../server/answers";
import {
  ALL_EVENT_GROUPS,
  EVENT_GROUPS,
  type EventGroup,
  type NotificationRule,
  type RuleThresholds,
} from "../../../shared/notifications";

const enabled = boolean("Whether alerts are sent.", true);
const channelIds = list(integer("A channel's id; 0 is the built-in one.", 2), "The channels that are notified.");
const policyId = nullable(id("The policy that says whom to notify when; null: `channels`, at once.", 4), null);
const threshold = (what: string, example: number) =>
  number(`${what}, in percent.`, example, { minimum: 0, maximum: 100 });
const monitorRule = {
  enabled,
  onDown: boolean("When a monitor goes down.", true),
  onRecovery: boolean("When a monitor recovers.", true),
  onSlow: boolean("When a monitor answers slowly.", true),
  onCertificate: boolean("When the certificate or domain of a monitor expires soon.", true),
  channels: channelIds,
  policyId,
};
const agentRule = {
  enabled,
  onOffline: boolean("When a server goes offline.", true),
  onRecovery: boolean("When a server reports again, or falls below its threshold.", true),
  onCpuThreshold: boolean("When CPU usage crosses its threshold.", true),
  cpuThreshold: threshold("CPU", 90),
  onMemoryThreshold: boolean("When memory usage crosses its threshold.", false),
  memoryThreshold: threshold("Memory", 85),
  onDiskThreshold: boolean("When the fullest disk crosses its threshold.", true),
  diskThreshold: threshold("The fullest disk", 90),
  onProblem: boolean("When it reports a problem: a container, a service, an array, a disk that fills up.", true),
  onPlan: boolean("When its traffic quota is nearly used, or its contract ends soon.", true),
  channels: channelIds,
  policyId,
};
const single = {
  overrideGlobal: boolean("Whether this replaces the setting for all.", true),
  critical: boolean("Whether quiet hours do not apply to it, whichever setting it follows.", false),
};
/** The rule of a single target. */
export const SINGLE_RULES = {
  monitor: object({ ...monitorRule, ...single }),
  agent: object({ ...agentRule, ...single }),
};
export type SingleRules = { [Type in keyof typeof SINGLE_RULES]: Static<(typeof SINGLE_RULES)[Type]> };

export const Settings = component("Settings", {
  monitors: object(monitorRule),
  agents: object(agentRule),
  specificMonitors: record(SINGLE_RULES.monitor, "For single monitors, by id.", "3"),
  specificAgents: record(SINGLE_RULES.agent, "For single servers, by id.", "5"),
});

/** The switch of each group of events: in answers and files, and in calls. */
export const SWITCHES = {
  down: ["onDown", "on_down"],
  recovery: ["onRecovery", "on_recovery"],
  slow: ["onSlow", "on_slow"],
  certificate: ["onCertificate", "on_certificate"],
  offline: ["onOffline", "on_offline"],
  cpu: ["onCpuThreshold", "on_cpu_threshold"],
  memory: ["onMemoryThreshold", "on_memory_threshold"],
  disk: ["onDiskThreshold", "on_disk_threshold"],
  problem: ["onProblem", "on_problem"],
  plan: ["onPlan", "on_plan"],
} as const satisfies Record<EventGroup, readonly [string, string]>;
type Switch = (typeof SWITCHES)[EventGroup][0 | 1];

/** The groups that a rule selects after switches were sent; those that are not sent keep their state. */
export const eventsOf = (
  sent: { readonly [Name in Switch]?: boolean | 0 | 1 | undefined },
  before: readonly EventGroup[],
): EventGroup[] =>
  ALL_EVENT_GROUPS.filter((group) => {
    const [inFile, inCall] = SWITCHES[group];
    return sent[inFile] ?? sent[inCall] ?? before.includes(group);
  });

const switchesOf = <Group extends EventGroup>({ events }: NotificationRule, groups: readonly Group[]) =>
  Object.fromEntries(groups.map((group) => [SWITCHES[group][0], events.includes(group)])) as Record<
    (typeof SWITCHES)[Group][0],
    boolean
  >;

export type MonitorRule = Static<typeof Settings>["monitors"];
export type AgentRule = Static<typeof Settings>["agents"];

export const forMonitors = (rule: NotificationRule): MonitorRule => {
  const { enabled, channels, policyId } = rule;
  return { enabled, ...switchesOf(rule, EVENT_GROUPS.monitor), channels, policyId };
};

export const forServers = (rule: NotificationRule, { cpu, memory, disk }: RuleThresholds): AgentRule => {
  const { enabled, channels, policyId } = rule;
  const thresholds = { cpuThreshold: cpu, memoryThreshold: memory, diskThreshold: disk };
  return { enabled, ...switchesOf(rule, EVENT_GROUPS.agent), ...thresholds, channels, policyId };
};

/** Fields of the rule of a single target. */
export type RuleOfOne = Pick<NotificationRule, "overrideGlobal" | "critical">;

export const ofOne = ({ overrideGlobal, critical }: RuleOfOne): RuleOfOne => ({ overrideGlobal, critical });
