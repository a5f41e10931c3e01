const known = ["active", "inactive", "connecting"] as const;
export type AgentStatus = (typeof known)[number];

/** Anything unheard of counts as inactive. */
export const toAgentStatus = (status: string | null | undefined): AgentStatus =>
  known.find((name) => name === status) ?? "inactive";

/** How each looks. */
export const tones = { active: "up", inactive: "down", connecting: "pending" } as const;
