import type { StatusData } from "../../../src/modules/status-page/publish";

type Monitor = StatusData["monitors"][number];
type Server = StatusData["agents"][number];
/** A part of the page under one heading: a group of its owner, or the services or servers in no group. */
export type Block = { key: string; name?: string; monitors: Monitor[]; agents: Server[] };

type Health = "well" | "slow" | "broken" | "other";
const measured: Record<string, Health> = {
  up: "well",
  active: "well",
  degraded: "slow",
  down: "broken",
  inactive: "broken",
};
const stated: Record<string, Health> = {
  operational: "well",
  degraded_performance: "slow",
  under_maintenance: "other",
};

/** The health of an item: as an open incident states it, or else as it is measured. */
export const healthOf = ({ component_status, status, unknown, maintenance }: Monitor | Server): Health => {
  if (component_status) return stated[component_status] ?? "broken";
  return unknown || maintenance ? "other" : (measured[status] ?? "other");
};
export const isBroken = (item: Monitor | Server): boolean => healthOf(item) === "broken";

/** The start of the unknown state of the whole page; undefined while the state of anything on it is known. */
export const unknownSince = ({ overall, unknown, monitors, agents }: StatusData): string | undefined => {
  const starts = [unknown, ...monitors.map((one) => one.unknown), ...agents.map((one) => one.unknown)];
  return overall ? undefined : starts.flatMap((one) => one?.since ?? []).toSorted()[0];
};

/** Keys of the rows with failures. */
export const brokenKeys = ({ monitors, agents }: StatusData): ReadonlySet<string> =>
  new Set([
    ...monitors.filter(isBroken).map(({ id }) => `monitor-${id}`),
    ...agents.filter(isBroken).map(({ id }) => `agent-${id}`),
  ]);

const pick = <T extends { id: number }>(items: ReadonlyMap<number, T>, ids: readonly number[]): T[] =>
  ids.flatMap((id) => items.get(id) ?? []);

/**
 * What the page shows under its headings: groups first, then the rest. The rows in `leading` come first in their block,
 * and blocks with such rows before others; otherwise everything is in the order of its owner.
 */
export const blocksOf = ({ monitors, agents, groups }: StatusData, leading: ReadonlySet<string>): Block[] => {
  const monitorsById = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const agentsById = new Map(agents.map((agent) => [agent.id, agent]));
  const grouped = {
    monitors: new Set(groups.flatMap((group) => group.monitors)),
    agents: new Set(groups.flatMap((group) => group.agents)),
  };
  const sort = <T extends { id: number }>(kind: "monitor" | "agent", items: readonly T[]): T[] => {
    const leads = ({ id }: T) => leading.has(`${kind}-${id}`);
    return [...items.filter(leads), ...items.filter((item) => !leads(item))];
  };
  const blocks: Block[] = [
    ...groups.map((group, place) => ({
      key: `group-${place}`,
      name: group.name,
      monitors: pick(monitorsById, group.monitors),
      agents: pick(agentsById, group.agents),
    })),
    { key: "services", monitors: monitors.filter(({ id }) => !grouped.monitors.has(id)), agents: [] },
    { key: "servers", monitors: [], agents: agents.filter(({ id }) => !grouped.agents.has(id)) },
  ];
  const sorted = blocks
    .filter((block) => block.monitors.length + block.agents.length > 0)
    .map((block) => ({ ...block, monitors: sort("monitor", block.monitors), agents: sort("agent", block.agents) }));
  const leads = (block: Block) =>
    block.monitors.some(({ id }) => leading.has(`monitor-${id}`)) ||
    block.agents.some(({ id }) => leading.has(`agent-${id}`));
  return [...sorted.filter(leads), ...sorted.filter((block) => !leads(block))];
};
