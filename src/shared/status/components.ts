/** The statuses of components, in Statuspage's words. */
export const COMPONENT_STATUSES = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "partial_outage",
  "major_outage",
] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** When a component of several targets is well: while any of them is, all of them are, or at least `n`. */
export const COMPONENT_MODES = ["any", "all", "at_least"] as const;

/** The targets of a component: ids, and everything with a tag, written as by `tagText`. */
export type ComponentTarget = {
  monitors: number[];
  agents: number[];
  tag: string | null;
  mode: (typeof COMPONENT_MODES)[number];
  /** For `at_least`; 1 otherwise. */
  n: number;
};

/** The parts of a component besides its status. */
export const COMPONENT_SHOWS = ["bar", "none"] as const;
export type ComponentShow = (typeof COMPONENT_SHOWS)[number];

/** Letters of the key of a page or component, which is its id in Statuspage's format. */
export const KEY_LETTERS = 12;

/** Keys that are imported may have digits, too. */
export const KEY_PATTERN = `^[a-z0-9]{${KEY_LETTERS}}$`;

export const PAGE_LIMITS = {
  /** Of a team. */
  pages: 50,
  /** Of a page, besides those that its lists name. */
  components: 500,
  slug: 100,
  name: 100,
  description: 500,
  /** Ids of one component. */
  targets: 1000,
} as const;
