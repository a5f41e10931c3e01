export type Beat = { status: string; timestamp?: string; response_time?: number | null };
export type SlotState = "up" | "down" | "unknown" | "empty";
export type Slot = { state: SlotState; beat?: Beat };

const stateOf = (status: string): SlotState => (status === "up" || status === "down" ? status : "unknown");

/** The latest `count` checks as slots, oldest first; a shorter history is padded with empty slots on the left. */
export const toSlots = (history: readonly (Beat | string)[], count: number): Slot[] => {
  const beats = history
    .slice(-count)
    .map((entry) => (typeof entry === "string" ? { status: entry } : entry))
    .map((beat): Slot => ({ state: stateOf(beat.status), beat }));
  const padding = Array.from({ length: count - beats.length }, (): Slot => ({ state: "empty" }));
  return [...padding, ...beats];
};
