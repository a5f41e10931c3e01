/** The statuses of components: set by hand, or measured from the states of their targets. */
import type { Deps } from "../../../core/deps";
import type { TargetType } from "../../../shared/notifications";
import type { ComponentStatus, ComponentTarget } from "../../../shared/status/components";
import { readMaintenance, readScheduled } from "../../alerting/maintenance/running";
import { shownStatus } from "../../monitors/present";
import { readPublicMonitors } from "../../monitors/service";
import { readPublicServers } from "../../servers/service";
import type { PageComponent } from "./components";

type Store = Pick<Deps, "db" | "clock" | "watching">;

/** The state of one target; null if it is paused or was never checked. */
type TargetState = "good" | "slow" | "bad" | null;

const MONITOR_STATES = { up: "good", degraded: "slow", down: "bad", pending: null, paused: null } as const;
const SERVER_STATES = { active: "good", inactive: "bad", connecting: null } as const;

/** How many of its targets have to work for a component to be operational. */
export const neededOf = ({ mode, n }: Pick<ComponentTarget, "mode" | "n">, counted: number): number =>
  mode === "all" ? counted : mode === "any" ? 1 : Math.min(n, counted);

/** The status of a component by the states of its targets. Targets without a state do not count. */
export const judge = (target: Pick<ComponentTarget, "mode" | "n">, states: readonly TargetState[]) => {
  const count = (wanted: TargetState) => states.filter((state) => state === wanted).length;
  const [good, slow, bad] = [count("good"), count("slow"), count("bad")];
  if (good + slow + bad === 0) return "operational";
  const needed = neededOf(target, good + slow + bad);
  if (good >= needed) return "operational";
  if (good + slow >= needed) return "degraded_performance";
  return good + slow > 0 ? "partial_outage" : "major_outage";
};

/** The key of a target in the maps below. */
export const targetKey = (type: TargetType, id: number): string => `${type} ${id}`;

/** The keys of the targets of a component. */
export const keysOf = ({ members }: Pick<PageComponent, "members">): string[] => [
  ...members.monitors.map((id) => targetKey("monitor", id)),
  ...members.agents.map((id) => targetKey("agent", id)),
];

/** The ids of the targets of components. */
export const membersOf = (components: readonly PageComponent[]) => {
  const ids = (part: "monitors" | "agents") => [...new Set(components.flatMap(({ members }) => members[part]))];
  return { monitors: ids("monitors"), agents: ids("agents") };
};

/** Reads the states of targets. */
export const readStates = async (
  store: Store,
  teamId: number,
  ids: ReturnType<typeof membersOf>,
): Promise<Map<string, TargetState>> => {
  const states = new Map<string, TargetState>();
  if (ids.monitors.length > 0)
    for (const row of await readPublicMonitors(store, ids.monitors, teamId))
      states.set(targetKey("monitor", row.id), MONITOR_STATES[shownStatus(row.active, row)]);
  if (ids.agents.length > 0)
    for (const { id, status } of await readPublicServers(store, teamId, ids.agents))
      states.set(targetKey("agent", id), SERVER_STATES[status]);
  return states;
};

/** Reads the status of each of a page's components. */
export const readStatuses = async (
  store: Store,
  teamId: number,
  components: readonly PageComponent[],
): Promise<Map<number, ComponentStatus>> => {
  const ids = membersOf(components);
  const now = store.clock.now();
  const states = await readStates(store, teamId, ids);
  const targets = [
    ...ids.monitors.map((id) => ({ teamId, type: "monitor" as const, id })),
    ...ids.agents.map((id) => ({ teamId, type: "agent" as const, id })),
  ];
  const maintainedUntil = await readMaintenance(store, targets, now);
  const maintained = new Set(
    targets.filter((target) => maintainedUntil(target, now) !== null).map(({ type, id }) => targetKey(type, id)),
  );
  // Nothing may have the tag of a component yet that is in maintenance.
  const tags = [...new Set(components.flatMap(({ row }) => row.target.tag ?? []))];
  const wanted = { monitors: [], agents: [], tags };
  const running = tags.length > 0 ? await readScheduled(store, teamId, wanted, { from: now, to: now + 1 }) : [];
  const maintainedTags = new Set(running.flatMap((one) => one.tags));
  return new Map(
    components.map((component) => {
      const { row } = component;
      if (row.fixedStatus) return [row.id, row.fixedStatus];
      const keys = keysOf(component);
      // A failure of a target in maintenance is expected, and the other targets decide.
      const counted = keys.map((key) => (maintained.has(key) ? "good" : (states.get(key) ?? null)));
      const status = judge(row.target, counted);
      const isMaintained =
        status === "operational" &&
        (keys.some((key) => maintained.has(key)) || (keys.length === 0 && maintainedTags.has(row.target.tag ?? "")));
      return [row.id, isMaintained ? "under_maintenance" : status];
    }),
  );
};
