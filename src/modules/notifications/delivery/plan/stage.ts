import type { Deps } from "../../../../core/deps";
import type { Queries, Statement } from "../../../../db/database";
import type { DeliveryErrorCode, DeliveryPurpose } from "../../../../shared/notifications";
import type { PlannedEvent, Recipient } from "./batch";
import type { Notified } from "./recovery";

/**
 * What a stage decides about an event: it is not planned before `holdUntil` or the end of its outage; its deliveries are
 * stored as withheld, with the reason; or they are sent for another purpose than `alert`.
 */
export type Decision =
  | { holdUntil: number }
  | { withheld: DeliveryErrorCode }
  | {
      purpose: DeliveryPurpose;
      /** Which one of its purpose; 0 unless given. */
      sequence?: number;
      /** To whom it is sent; the first step of the policy and those that know of the outage unless given. */
      channels?: number[];
    };

/** What a stage decides, by the id of the event, and what it stores in the transaction that stores the deliveries. */
export type Decided = {
  decisions: ReadonlyMap<number, Decision>;
  /** They run first, and once more where two instances plan the same events: each has a condition of its own. */
  statements?: (tx: Queries) => Statement[];
};

/**
 * Decides about events before they are addressed. It is given the events that are neither drills nor decided about by an
 * earlier stage. An event whose `holdUntil` is over, or whose outage has ended, must not be held again.
 */
export type Stage = (deps: Deps, batch: readonly PlannedEvent[]) => Promise<Decided>;

/** The answer of a stage that decides about no event. */
export const UNDECIDED: Decided = { decisions: new Map() };

/** A message of an event to one channel, before the suppressors are asked. */
export type Draft = {
  planned: PlannedEvent;
  /** Null when the channel is gone, or no longer its owner's to use. */
  channel: Recipient | null;
  purpose: DeliveryPurpose;
  sequence: number;
  /** Of a closing event that goes to the channels of the opening one: what they were notified of decides. */
  notified?: Notified;
};
