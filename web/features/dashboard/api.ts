import { api, payload } from "../../api";
import { resource } from "../../lib/resource";
import { agentsDownAtom, monitorsDownAtom } from "../../ui/layout/page-title";

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
