/** Which direction counts against the traffic quota: both together, one of them, or the greater one. */
export const TRAFFIC_MODES = ["sum", "tx", "rx", "max"] as const;
export type TrafficMode = (typeof TRAFFIC_MODES)[number];

/** How a provider counts the traffic of a server. */
export type TrafficPlan = {
  /** Bytes a month; null: traffic is counted without a quota. */
  quota: number | null;
  /** The day of the month when the provider starts from zero, 1 to 31; in shorter months the last day. */
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

/** The owner's data about a server's provider. */
export type ServerPlan = { traffic: TrafficPlan | null; contract: Contract | null };

/** Percentages of the quota that alert the owner. */
export const TRAFFIC_LEVELS = [80, 90, 100] as const;

/** Days before the end of a contract that alert its owner. */
export const CONTRACT_DAYS = [14, 3] as const;
