/** Subscribers of status pages. */

export const SUBSCRIBER_KINDS = ["email", "webhook"] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** Stages of scheduled maintenance that subscribers are notified of. */
export type WindowStage = "scheduled" | "changed" | "cancelled" | "started" | "ended";

/** `confirm` and `manage` are about the subscription, `component` is the new state of one component. */
export type NoticeKind = "confirm" | "manage" | "incident" | "component" | "maintenance";

export const SUBSCRIBER_LIMITS = {
  /** Of a page. */
  subscribers: 20_000,
  /** Subscriptions in an hour: from one client, and of one page. */
  perClient: 5,
  perPage: 100,
  /** Mails about the subscription to one address in an hour. */
  perAddress: 3,
  /** Permanent refusals in a row that end a subscription. */
  failures: 10,
  url: 2000,
  /** Components that a visitor may choose. */
  components: 500,
} as const;
