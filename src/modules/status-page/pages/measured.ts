/** The statuses of components: set by hand, or measured from the states of their targets. */
import type { Deps } from "../../../core/deps";
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

/** The status of a component by the states of its targets. Targets without a state do not count. */
export const judge = ({ mode, n }: Pick<ComponentTarget, "mode" | "n">, states: readonly TargetState[]) => {
  const count = (wanted: TargetState) => states.filter((state) => state === wanted).length;
  const [good, slow, bad] = [count("good"), count("slow"), count("bad")];
  if (good + slow + bad === 0) return "operational";
  const needed = mode === "all" ? good + slow + bad : mode === "any" ? 1 : Math.min(n, good + slow + bad);
  if (good >= needed) return "operational";
  if (good + slow >= needed) return "degraded_performance";
  return good + slow > 0 ? "partial_outage" : "major_outage";
};

/** Reads the status of each of a page's components. */
export const readStatuses = async (
  store: Store,
  teamId: number,
  components: readonly PageComponent[],
): Promise<Map<number, ComponentStatus>> => {
  const ids = (part: "monitors" | "agents") => [...new Set(components.flatMap(({ members }) => members[part]))];
  const monitorIds = ids("monitors");
  const agentIds = ids("agents");
  const now = store.clock.now();
  const states = new Map<string, TargetState>();
  if (monitorIds.length > 0)
    for (const row of await readPublicMonitors(store, monitorIds, teamId))
      states.set(`monitor ${row.id}`, MONITOR_STATES[shownStatus(row.active, row)]);
  if (agentIds.length > 0)
    for (const { id, status } of await readPublicServers(store, teamId, agentIds))
      states.set(`agent ${id}`, SERVER_STATES[status]);
  const targets = [
    ...monitorIds.map((id) => ({ teamId, type: "monitor" as const, id })),
    ...agentIds.map((id) => ({ teamId, type: "agent" as const, id })),
  ];
  const maintainedUntil = await readMaintenance(store, targets, now);
  const maintained = new Set(
    targets.filter((target) => maintainedUntil(target, now) !== null).map(({ type, id }) => `${type} ${id}`),
  );
  // Nothing may have the tag of a component yet that is in maintenance.
  const tags = [...new Set(components.flatMap(({ row }) => row.target.tag ?? []))];
  const wanted = { monitors: [], agents: [], tags };
  const running = tags.length > 0 ? await readScheduled(store, teamId, wanted, { from: now, to: now + 1 }) : [];
  const maintainedTags = new Set(running.flatMap((one) => one.tags));
  return new Map(
    components.map(({ row, members }) => {
      if (row.fixedStatus) return [row.id, row.fixedStatus];
      const keys = [...members.monitors.map((id) => `monitor ${id}`), ...members.agents.map((id) => `agent ${id}`)];
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
