import { type AgentStatus, toAgentStatus } from "../agent-status";
import { shareOf } from "../resources";

export const filters = ["all", "active", "inactive", "connecting"] as const;
export type Filter = (typeof filters)[number];

export const sorts = ["name", "status", "cpu", "memory", "disk"] as const;
export type Sort = (typeof sorts)[number];

type Selectable = {
  name: string;
  hostname: string;
  ip_addresses: readonly string[];
  os: string;
  status: string;
  cpu_usage: number | null;
  memory_total: number | null;
  memory_used: number | null;
  disk_total: number | null;
  disk_used: number | null;
};

const urgency: readonly AgentStatus[] = ["inactive", "connecting", "active"];
const urgencyOf = ({ status }: Selectable) => urgency.indexOf(toAgentStatus(status));
const share = (used: number | null, total: number | null) => (used === null || !total ? -1 : shareOf(used, total));

const compare: Record<Sort, (a: Selectable, b: Selectable) => number> = {
  name: () => 0,
  status: (a, b) => urgencyOf(a) - urgencyOf(b),
  cpu: (a, b) => (b.cpu_usage ?? -1) - (a.cpu_usage ?? -1),
  memory: (a, b) => share(b.memory_used, b.memory_total) - share(a.memory_used, a.memory_total),
  disk: (a, b) => share(b.disk_used, b.disk_total) - share(a.disk_used, a.disk_total),
};

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The agents that match the search and the filter, sorted; agents of equal rank are sorted by name. */
export const selectAgents = <T extends Selectable>(
  agents: readonly T[],
  { search, filter, sort }: { search: string; filter: Filter; sort: Sort },
): T[] => {
  const query = search.trim().toLowerCase();
  return agents
    .filter(({ status }) => filter === "all" || toAgentStatus(status) === filter)
    .filter(({ name, hostname, ip_addresses, os }) =>
      [name, hostname, os, ...ip_addresses].join("\n").toLowerCase().includes(query),
    )
    .sort((a, b) => compare[sort](a, b) || byName.compare(a.name, b.name));
};

/** The number of agents that each filter shows. */
export const countAgents = (agents: readonly Selectable[]): Record<Filter, number> => {
  const counts = { all: agents.length, active: 0, inactive: 0, connecting: 0 };
  for (const { status } of agents) counts[toAgentStatus(status)]++;
  return counts;
};
