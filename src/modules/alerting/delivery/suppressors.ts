/**
 * Reasons not to send an event to a channel. A new one is a function here and an entry of the list at the end.
 */
import type { channels, events } from "../../../db/schema";
import {
  type DeliveryErrorCode,
  eventGroupOf,
  isBroken,
  isClosing,
  type NotificationRule,
  outageKindOf,
} from "../../../shared/notifications";

/** The context of an event that suppressors read. */
export type PlanContext = {
  /** The notification rule that applies to the event's target. */
  rule: NotificationRule;
  /** One channel of the rule; null when its owner has no channel of this id, or may no longer use it. */
  channel: Pick<typeof channels.$inferSelect, "id" | "name" | "type" | "enabled"> | null;
  /** Whether the target of the event is muted: modules/alerting/mutes. */
  muted: boolean;
  /** Why planning withholds the event from all channels: plan/next.ts. */
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

type Selected = Pick<typeof events.$inferSelect, "kind" | "facts">;

/**
 * Whether a rule selects an event, if it is switched on. Metric switches apply to the rule's own thresholds; custom thresholds
 * always alert.
 */
export const selects = (rule: NotificationRule, { kind, facts }: Selected): boolean => {
  const outage = outageKindOf(kind);
  const group = facts?.threshold_id === undefined ? eventGroupOf(outage) : null;
  const isSelected = group === null || rule.events.includes(group);
  return isClosing(kind) ? rule.events.includes("recovery") && (isSelected || isBroken(outage)) : isSelected;
};

/** The rule does not select the event. */
const notSelected: Suppressor = { reason: (event, { rule }) => (selects(rule, event) ? null : "not_selected") };

/** The channel was deleted or switched off, or is not the owner's to use. */
const unavailableChannel: Suppressor = {
  reason: (_, { channel }) => (channel?.enabled ? null : "channel_unavailable"),
};

/** Checked late, so that muted deliveries would otherwise have been sent. */
const mutedTarget: Suppressor = { reason: (_, { muted }) => (muted ? "muted" : null), stored: true };

/** Planning withholds the event. */
const withheldEvent: Suppressor = { reason: (_, { withheld }) => withheld, stored: true };

/** Applied in this order to each event and channel; the first reason is used. */
export const suppressors: readonly Suppressor[] = [
  disabledRule,
  notSelected,
  unavailableChannel,
  mutedTarget,
  withheldEvent,
];
