/** Why the hub could know nothing of any target: it did not run, had no network, or was late. */
const HUB_GAP_REASONS = ["hub_stopped", "hub_offline", "hub_overloaded"] as const;
export type HubGapReason = (typeof HUB_GAP_REASONS)[number];
