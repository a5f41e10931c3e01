/**
 * Reasons not to send an event to a channel. A new one is a function here and an entry of the list at the end.
 */
import type { channels, events } from "../../../db/schema";
import {
  type DeliveryErrorCode,
  type EventKind,
  isClosing,
  type NotificationRule,
} from "../../../shared/notifications";

/** The context of an event that suppressors read. */
export type PlanContext = {
  /** The notification rule that applies to the event's target. */
  rule: NotificationRule;
  /** One channel of the rule; null when its owner has no channel of this id, or may no longer use it. */
  channel: Pick<typeof channels.$inferSelect, "id" | "name" | "type" | "enabled"> | null;
  /** Whether the target of the event is muted: modules/notifications/mutes. */
  muted: boolean;
  /** Why a stage of planning withholds the event from all channels: plan/stage.ts. */
  withheld: DeliveryErrorCode | null;
  /** Epoch milliseconds. */
  now: number;
};

/** A reason why an event is not sent to a channel. The event itself is stored in any case. */
export type Suppressor = {
  /** Returns the reason, or null to deliver the event. */
  reason: (event: typeof events.$inferSelect, context: PlanContext) => DeliveryErrorCode | null;
  /** Stores a withheld delivery with the reason, which the history of notifications shows; otherwise none is stored. */
  stored?: true;
};

/** The rule of the target is switched off. */
const disabledRule: Suppressor = { reason: (_, { rule }) => (rule.enabled ? null : "rule_disabled") };

const SELECTED: Record<EventKind, (rule: NotificationRule) => boolean> = {
  down: ({ onDown }) => onDown,
  recovery: ({ onRecovery }) => onRecovery,
  slow: ({ onSlow }) => onSlow,
  slow_normal: ({ onSlow, onRecovery }) => onSlow && onRecovery,
  cert_expiring: ({ onCertificate }) => onCertificate,
  cert_renewed: ({ onCertificate, onRecovery }) => onCertificate && onRecovery,
  offline: ({ onOffline }) => onOffline,
  online: ({ onRecovery }) => onRecovery,
  cpu_high: ({ onCpuThreshold }) => onCpuThreshold,
  cpu_normal: ({ onCpuThreshold, onRecovery }) => onCpuThreshold && onRecovery,
  memory_high: ({ onMemoryThreshold }) => onMemoryThreshold,
  memory_normal: ({ onMemoryThreshold, onRecovery }) => onMemoryThreshold && onRecovery,
  disk_high: ({ onDiskThreshold }) => onDiskThreshold,
  disk_normal: ({ onDiskThreshold, onRecovery }) => onDiskThreshold && onRecovery,
  swap_high: () => true,
  swap_normal: ({ onRecovery }) => onRecovery,
  load_high: () => true,
  load_normal: ({ onRecovery }) => onRecovery,
  temperature_high: () => true,
  temperature_normal: ({ onRecovery }) => onRecovery,
  container_failed: ({ onProblem }) => onProblem,
  container_recovered: ({ onProblem, onRecovery }) => onProblem && onRecovery,
  service_failed: ({ onProblem }) => onProblem,
  service_recovered: ({ onProblem, onRecovery }) => onProblem && onRecovery,
  array_degraded: ({ onProblem }) => onProblem,
  array_recovered: ({ onProblem, onRecovery }) => onProblem && onRecovery,
  key_shared: ({ onProblem }) => onProblem,
  key_unshared: ({ onProblem, onRecovery }) => onProblem && onRecovery,
  disk_filling: ({ onProblem }) => onProblem,
  disk_filling_ended: ({ onProblem, onRecovery }) => onProblem && onRecovery,
  traffic_high: ({ onPlan }) => onPlan,
  traffic_normal: ({ onPlan, onRecovery }) => onPlan && onRecovery,
  contract_ending: ({ onPlan }) => onPlan,
  contract_renewed: ({ onPlan, onRecovery }) => onPlan && onRecovery,
};

type Selected = Pick<typeof events.$inferSelect, "kind" | "facts">;

/**
 * Whether a rule selects an event, if it is switched on. The switches of figures belong to the thresholds of the rule: one
 * that a user set besides them was set to be alerted.
 */
export const selects = (rule: NotificationRule, { kind, facts }: Selected): boolean =>
  facts?.threshold_id === undefined ? SELECTED[kind](rule) : !isClosing(kind) || rule.onRecovery;

/** The rule does not select the event. */
const notSelected: Suppressor = { reason: (event, { rule }) => (selects(rule, event) ? null : "not_selected") };

/** The channel was deleted or switched off, or is not the owner's to use. */
const unavailableChannel: Suppressor = {
  reason: (_, { channel }) => (channel?.enabled ? null : "channel_unavailable"),
};

/** The target is muted. Late, so that a withheld delivery is one that would have been sent. */
const mutedTarget: Suppressor = { reason: (_, { muted }) => (muted ? "muted" : null), stored: true };

/** A stage of planning withholds the event. */
const withheldEvent: Suppressor = { reason: (_, { withheld }) => withheld, stored: true };

/** Applied in this order to each event and channel; the first reason is used. */
export const suppressors: readonly Suppressor[] = [
  disabledRule,
  notSelected,
  unavailableChannel,
  mutedTarget,
  withheldEvent,
];
