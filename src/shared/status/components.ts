/** The statuses of components, in Statuspage's words. */
export type ComponentStatus =
  | "operational"
  | "under_maintenance"
  | "degraded_performance"
  | "partial_outage"
  | "major_outage";

/** What a component is about: ids, and everything with a tag, written as by `tagText`. */
export type ComponentTarget = {
  monitors: number[];
  agents: number[];
  tag: string | null;
  /** When a component of several targets is well: while any of them is, all of them are, or at least `n`. */
  mode: "any" | "all" | "at_least";
  /** For `at_least`; 1 otherwise. */
  n: number;
};

/** What a component shows besides its status. */
export type ComponentShow = "bar" | "none";

/** Letters of the key of a page or component, which is its id in Statuspage's format. */
export const KEY_LETTERS = 12;
