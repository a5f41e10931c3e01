import { api, payload } from "../../api";
import { resource } from "../../lib/resource";
import { downCountAtom } from "../../ui/page-title";

export type Dashboard = Awaited<ReturnType<typeof loadDashboard>>;

const loadDashboard = () => payload(api.dashboard.get());

export const dashboardAtom = resource(loadDashboard, {
  soon: ({ monitors }) => monitors.pending > 0,
  learned: ({ monitors }, set) => set(downCountAtom, monitors.down),
});
