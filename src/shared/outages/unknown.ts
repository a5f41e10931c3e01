/** Why the hub could know nothing of any target: it did not run, had no network, or was late. */
export const HUB_GAP_REASONS = ["hub_stopped", "hub_offline", "hub_overloaded"] as const;
export type HubGapReason = (typeof HUB_GAP_REASONS)[number];

/** Why the state of a target is unknown. `ping_possibly_lost`: the hub could know nothing when its ping was due. */
export const UNKNOWN_REASONS = [...HUB_GAP_REASONS, "ping_possibly_lost"] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];
