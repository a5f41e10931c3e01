export const filters = ["all", "active", "down", "paused"] as const;
export type Filter = (typeof filters)[number];

export const sorts = ["name", "status", "uptime", "response"] as const;
export type Sort = (typeof sorts)[number];

type Selectable = {
  name: string;
  target: string;
  active: boolean;
  status: string;
  uptime: number | null;
  response_time: number | null;
};

const matches: Record<Filter, (monitor: Selectable) => boolean> = {
  all: () => true,
  active: ({ active }) => active,
  down: ({ status }) => status === "down",
  paused: ({ active }) => !active,
};

const urgency = ["down", "pending", "up", "paused"];

const compare: Record<Sort, (a: Selectable, b: Selectable) => number> = {
  name: () => 0,
  status: (a, b) => urgency.indexOf(a.status) - urgency.indexOf(b.status),
  uptime: (a, b) => (a.uptime ?? Number.MAX_VALUE) - (b.uptime ?? Number.MAX_VALUE),
  response: (a, b) => (b.response_time ?? -1) - (a.response_time ?? -1),
};

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The monitors that match the search and the filter, sorted; monitors of equal rank are sorted by name. */
export const selectMonitors = <T extends Selectable>(
  monitors: readonly T[],
  { search, filter, sort }: { search: string; filter: Filter; sort: Sort },
): T[] => {
  const query = search.trim().toLowerCase();
  return monitors
    .filter((monitor) => matches[filter](monitor))
    .filter(({ name, target }) => `${name}\n${target}`.toLowerCase().includes(query))
    .sort((a, b) => compare[sort](a, b) || byName.compare(a.name, b.name));
};

/** The number of monitors that each filter shows. */
export const countMonitors = (monitors: readonly Selectable[]): Record<Filter, number> => ({
  all: monitors.length,
  active: monitors.filter(matches.active).length,
  down: monitors.filter(matches.down).length,
  paused: monitors.filter(matches.paused).length,
});
