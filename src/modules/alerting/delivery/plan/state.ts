/** What planning reads about an outage, and what it decides. */
import type { channels, deliveries, escalations, flappingTargets, OutageEvent, outages } from "../../../../db/schema";
import type { AlertPolicy } from "../../../../shared/alert-policy";
import type { DeliveryErrorCode, DeliveryPurpose, NotificationRule } from "../../../../shared/notifications";
import type { UnsentReason } from "../../../../shared/outages/unsent-reasons";
import type { Answer } from "../../dependencies/explanations";
import type { Target } from "../../dependencies/service";

export type Event = OutageEvent;
export type Outage = typeof outages.$inferSelect;
export type Escalation = typeof escalations.$inferSelect;
export type FlappingRow = typeof flappingTargets.$inferSelect;
/** A channel as planning reads it. */
export type Recipient = Pick<typeof channels.$inferSelect, "id" | "name" | "type" | "enabled">;

/** Whom the alerts of a target are sent to. */
export type Addressing = {
  /** The notification rule that applies to the target. */
  rule: NotificationRule;
  /** The policy of the rule. */
  policy: AlertPolicy;
  /** Whether quiet hours do not apply to the target. */
  critical: boolean;
  /** Where the rule comes from; `none`: the rule for all was never saved. */
  origin: "own" | "default" | "none";
  /** Whether there is a channel to choose, on or off. */
  hasChannels: boolean;
  /** A channel by its id; null if the owner has no such channel, or may no longer use it. */
  channelOf: (id: number) => Recipient | null;
};

/** An event to plan or to plan again, or the opening event of an outage whose next step or reminder is due. */
export type Subject = Addressing & {
  event: Event;
  /** The outage that it opens or ends; null when that was deleted, and for drills. */
  outage: Outage | null;
};

/** Whether no provider has got a delivery: it is pending, was never tried, and is not being sent. */
export const isUntried = (
  delivery: Pick<typeof deliveries.$inferSelect, "state" | "attempts" | "claimedBy">,
): boolean => delivery.state === "pending" && delivery.attempts === 0 && delivery.claimedBy === null;

/** A delivery of the event that opened an outage. */
export type PriorDelivery = {
  id: number;
  channelId: number;
  purpose: DeliveryPurpose;
  sequence: number;
  state: "pending" | "sent" | "failed" | "withheld";
  errorCode: DeliveryErrorCode | null;
  isUntried: boolean;
};

/** How often a target has changed, and its row if it is unstable already. */
export type Flapping = {
  row: FlappingRow | null;
  /** Changes in the last half hour, with the event. */
  changes: number;
  /** How many changes make a target unstable; 0 for never. */
  limit: number;
  /** How long the target has to stay as it is to count as stable, in milliseconds. */
  quiet: number;
  /** The channels that were notified that it is unstable; null when none were. */
  informed: readonly number[] | null;
};

type TargetAnswer = Answer & { target: Target };

/** The stored state of a subject's outage. */
export type State = {
  isMuted: boolean;
  isInMaintenance: boolean;
  /** Whether the same report changed other parts of its server. */
  hasSiblings: boolean;
  /** The open outage of a parent that explains this one, and the last answers of its parents and of its own target. */
  dependencies: { explainedBy: number | null; answers: readonly TargetAnswer[]; own: TargetAnswer | null };
  flapping: Flapping;
  /**
   * The deliveries of the event that opened the outage, in the order of their ids: for a closing event, and for steps and
   * reminders. Null for other events, and when there was no such event.
   */
  prior: readonly PriorDelivery[] | null;
  /** The steps and reminders that are due; null for an event to plan. */
  escalation: Escalation | null;
};

/** The state of an outage about which nothing is stored. */
export const NOTHING_STORED: State = {
  isMuted: false,
  isInMaintenance: false,
  hasSiblings: false,
  dependencies: { explainedBy: null, answers: [], own: null },
  flapping: { row: null, changes: 0, limit: 0, quiet: 0, informed: null },
  prior: null,
  escalation: null,
};

/** A delivery to store: withheld where there is a reason, else due at a time. */
export type Planned = {
  channel: Recipient;
  purpose: DeliveryPurpose;
  /** Which one of its purpose. */
  sequence: number;
  reason: DeliveryErrorCode | null;
  dueAt: number;
  /** Why it is due later than others. */
  heldBy: DeliveryErrorCode | null;
  /** How many seconds it may be sent early, together with others that are due. */
  groupSeconds: number;
};

/** Where the steps and reminders of an outage stand. */
export type Progress = Pick<Escalation, "startedAt" | "nextStep" | "reminders" | "remindedAt">;

/** The messages of an outage to send now, and the changes with them. Undefined fields stay. */
export type Next = {
  deliveries: Planned[];
  /** Why an event has no deliveries; null where it has. */
  unsentReason?: UnsentReason | null;
  /** When to evaluate the outage again without a new event: at the end of a hold, or for the next step or reminder. */
  wakeAt: number | null;
  /** Whether the event is not planned before `wakeAt` or the end of its outage. */
  isHeld?: boolean;
  /** Whether its withheld deliveries are deleted, so that new ones are stored in their place. */
  isRenewed?: boolean;
  /** Where the steps and reminders stand. */
  progress?: Progress;
  /** The outage that explains it. */
  explainedBy?: number | null;
  /** The row of its unstable target; null when it is stable again. */
  flapping?: Pick<FlappingRow, "eventId" | "changes" | "settlesAt"> | null;
  /** Whether the outage is over, so that it has no more steps and reminders. */
  isOver?: boolean;
  /** Deliveries that are not sent any more, by their ids. */
  withheld?: { ids: number[]; reason: "recovered" | "superseded" };
};
