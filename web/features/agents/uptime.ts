import type { Agent } from "./calls";

/** Seconds from when the agent was made to its last report; null before the first. */
export const uptimeOf = ({ created_at, updated_at }: Pick<Agent, "created_at" | "updated_at">): number | null =>
  updated_at === null ? null : Math.max(0, (Date.parse(updated_at) - Date.parse(created_at)) / 1000);
