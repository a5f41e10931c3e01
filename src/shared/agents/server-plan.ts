/** Which direction counts against the traffic quota: both together, one of them, or the greater one. */
export const TRAFFIC_MODES = ["sum", "tx", "rx", "max"] as const;
export type TrafficMode = (typeof TRAFFIC_MODES)[number];

/** How a provider counts the traffic of a server. */
export type TrafficPlan = {
  /** Bytes a month; null: traffic is counted without a quota. */
  quota: number | null;
  /** The day of the month on which the provider counts from zero, 1 to 31; in shorter months the last day. */
  resetDay: number;
  /** The IANA time zone whose midnight begins that day. */
  zone: string;
  mode: TrafficMode;
  /** Bytes to add to one month, such as those before the agent was installed; may be negative. */
  correction: { bytes: number /** The first day of that month, YYYY-MM-DD. */; month: string } | null;
};

/** When the rented server ends unless it is paid for again. */
export type Contract = {
  /** YYYY-MM-DD. */
  endsOn: string;
  /** For each period of payment; null: not given. */
  price: number | null;
  /** The months of one period of payment. */
  months: number;
  /** ISO 4217; empty without a price. */
  currency: string;
  note: string;
};

/** Bounds of a plan, which hub and page both validate. */
export const PLAN_LIMITS = {
  /** Bytes. */
  quota: 2 ** 50,
  price: 1e9,
  months: 120,
  note: 500,
} as const;

/** What the owner of a server entered about its provider. */
export type ServerPlan = { traffic: TrafficPlan | null; contract: Contract | null };

/** Shares of the quota in percent at which the owner is alerted. */
export const TRAFFIC_LEVELS = [80, 90, 100] as const;

/** Days before the end of a contract on which its owner is alerted. */
export const CONTRACT_DAYS = [14, 3] as const;
