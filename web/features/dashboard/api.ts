import { onChanges } from "../../live";
import { byAgent, withReport } from "../agents/live";
import { byMonitor, withListedResult } from "../monitors/live";
import { type Dashboard, dashboardAtom } from "../problems/api";

type Counts = {
  monitors: Pick<Dashboard["monitors"], "up" | "pending" | "total">;
  agents: Pick<Dashboard["agents"], "active" | "connecting" | "total">;
};

/** The key of the headline while nothing is down. */
export const headline = ({ monitors, agents }: Counts) => {
  if (monitors.total + agents.total === 0) return "nothing";
  if (monitors.up + agents.active > 0) return "allUp";
  return monitors.pending + agents.connecting > 0 ? "waiting" : "allPaused";
};

onChanges(({ monitors, agents }) => {
  if (monitors.length + agents.length === 0) return;
  const [results, reports] = [byMonitor(monitors), byAgent(agents)];
  dashboardAtom.edit((shown) => ({
    ...shown,
    latest_monitors: shown.latest_monitors.map((monitor) => withListedResult(monitor, results.get(monitor.id))),
    latest_agents: shown.latest_agents.map((agent) => withReport(agent, reports.get(agent.id))),
  }));
});
