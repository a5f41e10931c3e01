import { getDefaultStore } from "jotai";
import { api, listCompact, payload } from "../../api";
import { resource } from "../../lib/resource";
import { onChanges } from "../../live";
import { fromCompact } from "../monitors/api";
import { byMonitor, withListedResult } from "../monitors/live";
import { type Dashboard, dashboardAtom } from "../problems/api";
import { byServer, withReport } from "../servers/live";

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

/** Rows in each panel. */
export const PANEL_ROWS = 50;
/** Extra monitors that a request loads, so that its offset stays 0 while the block of problems has at most this many. */
const SPARE_ROWS = 10;

/** Whether a monitor is in the block of problems, and not also among the rows. */
export const isInBlock = ({ status }: { status: string }): boolean => status === "down" || status === "degraded";

/** The number of monitors in the block of problems: the first by status. */
export const countInBlock = ({ monitors: { down, degraded } }: Pick<Dashboard, "monitors">): number => down + degraded;

const loadMonitors = async () => {
  const { data } = getDefaultStore().get(dashboardAtom);
  const offset = Math.max(0, (data ? countInBlock(data) : 0) - SPARE_ROWS);
  const { monitors } = await listCompact({ sort: "status", history: 40, limit: PANEL_ROWS + SPARE_ROWS, offset });
  const shown = monitors.filter((monitor) => !isInBlock(monitor));
  return shown.slice(0, PANEL_ROWS).map(fromCompact);
};

export const panelMonitorsAtom = resource(loadMonitors);

const loadServers = async () =>
  (await payload(api.agents.get({ query: { sort: "status", limit: PANEL_ROWS } }))).agents;

export const panelServersAtom = resource(loadServers);

const statusesOf = (items: readonly { status: string }[]) => items.map(({ status }) => status).join();

/** The latest counts: each new stream begins with them, changed or not. */
let latestCounts = "";

onChanges(({ monitors, agents, counts }) => {
  const before = latestCounts;
  if (counts) latestCounts = JSON.stringify(counts);
  const recounted = latestCounts !== before;
  if (monitors.length + agents.length === 0 && !recounted) return;
  const [results, reports] = [byMonitor(monitors), byServer(agents)];
  dashboardAtom.edit((shown) => ({
    ...shown,
    latest_monitors: shown.latest_monitors.map((monitor) => withListedResult(monitor, results.get(monitor.id))),
    latest_agents: shown.latest_agents.map((agent) => withReport(agent, reports.get(agent.id))),
  }));
  panelMonitorsAtom.edit((shown) => {
    const next = shown.map((monitor) => withListedResult(monitor, results.get(monitor.id)));
    // Others take the place of those that are in the block now, and the order is another one.
    if (recounted || statusesOf(next) !== statusesOf(shown)) panelMonitorsAtom.refreshSoon();
    return next.filter((monitor) => !isInBlock(monitor));
  });
  panelServersAtom.edit((shown) => {
    const next = shown.map((agent) => withReport(agent, reports.get(agent.id)));
    if (recounted || statusesOf(next) !== statusesOf(shown)) panelServersAtom.refreshSoon();
    return next;
  });
});
