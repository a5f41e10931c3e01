import type { channels, events } from "../../../../db/schema";
import type { DeliveryErrorCode } from "../../../../shared/delivery-error";
import type { NotificationRule } from "../../../../shared/notifications";

/** The context of an event that suppressors read. */
export type PlanContext = {
  /** The notification rule that applies to the event's target. */
  rule: NotificationRule;
  /** One channel of the rule; null when its owner has no channel of this id, or may no longer use it. */
  channel: Pick<typeof channels.$inferSelect, "id" | "name" | "type" | "enabled"> | null;
  /** Epoch milliseconds. */
  now: number;
};

/** A reason why an event is not sent to a channel. The event itself is stored in any case. */
export type Suppressor = {
  /** Returns the reason, or null to deliver the event. */
  reason: (event: typeof events.$inferSelect, context: PlanContext) => DeliveryErrorCode | null;
  /** Whether a failed delivery with the reason is stored, which the history of notifications shows; otherwise none is. */
  stored: boolean;
};
