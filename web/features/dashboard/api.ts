import { getDefaultStore } from "jotai";
import { api, payload } from "../../api";
import { resource } from "../../lib/resource";
import { onChanges } from "../../live";
import { agentsDownAtom, monitorsDownAtom } from "../../ui/layout/page-title";
import { byAgent, withReport } from "../agents/live";
import { byMonitor, withListedResult } from "../monitors/live";

type Counts = {
  monitors: { up: number; pending: number; total: number };
  agents: { active: number; connecting: number; total: number };
};

/** The key of the headline while nothing is down. */
export const headline = ({ monitors, agents }: Counts) => {
  if (monitors.total + agents.total === 0) return "nothing";
  if (monitors.up + agents.active > 0) return "allUp";
  return monitors.pending + agents.connecting > 0 ? "waiting" : "allPaused";
};

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

const loadDashboard = () => payload(api.dashboard.get());

export const dashboardAtom = resource(loadDashboard, {
  soon: ({ monitors }) => monitors.pending > 0,
  learned: ({ monitors, agents }, set) => {
    set(monitorsDownAtom, monitors.down);
    set(agentsDownAtom, agents.inactive);
  },
});

onChanges(({ monitors, agents, counts }) => {
  if (monitors.length + agents.length === 0 && !counts) return;
  const [results, reports] = [byMonitor(monitors), byAgent(agents)];
  dashboardAtom.edit((shown) => ({
    ...shown,
    latest_monitors: shown.latest_monitors.map((monitor) => withListedResult(monitor, results.get(monitor.id))),
    latest_agents: shown.latest_agents.map((agent) => withReport(agent, reports.get(agent.id))),
  }));
  if (!counts) return;
  const { all, ...statuses } = counts.monitors;
  const { all: allAgents, ...agentStatuses } = counts.agents;
  const counted = { monitors: { ...statuses, total: all }, agents: { ...agentStatuses, total: allAgents } };
  getDefaultStore().set(monitorsDownAtom, statuses.down);
  getDefaultStore().set(agentsDownAtom, agentStatuses.inactive);
  dashboardAtom.edit((shown) => {
    // Other monitors and servers may need attention first.
    if (JSON.stringify([shown.monitors, shown.agents]) !== JSON.stringify([counted.monitors, counted.agents]))
      dashboardAtom.refreshSoon();
    return { ...shown, ...counted };
  });
});
