import { api, payload } from "../../api";
import { resource } from "../../lib/resource";
import { agentsDownAtom, monitorsDownAtom } from "../../ui/layout/page-title";

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

const loadDashboard = () => payload(api.dashboard.get());

export const dashboardAtom = resource(loadDashboard, {
  soon: ({ monitors }) => monitors.pending > 0,
  learned: ({ monitors, agents }, set) => {
    set(monitorsDownAtom, monitors.down);
    set(agentsDownAtom, agents.inactive);
  },
});
