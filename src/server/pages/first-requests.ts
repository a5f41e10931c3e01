import type { ScreenName } from "../../../web/screens";

const MONITORS = "api/monitors?history=40&offset=0&limit=100&sort=status&order=asc&fields=compact";
const SERVERS = "api/agents?offset=0&limit=100&sort=status&order=asc";

type FirstRequests = {
  page: string[];
  /** Sent only where the window is wide enough for the list beside the page. */
  beside?: string;
};

/**
 * The addresses that screens load first, without a search in their own address. The document sends them while the scripts are
 * being loaded. `:id` is the id of the screen's item.
 */
const requests: Partial<Record<ScreenName, FirstRequests>> = {
  dashboard: {
    page: ["api/agents?sort=status&limit=50", "api/monitors?sort=status&history=40&limit=60&offset=0&fields=compact"],
  },
  monitors: { page: [MONITORS] },
  monitor: { page: ["api/monitors/:id", "api/monitors/:id/series?range=24h"], beside: MONITORS },
  agents: { page: [SERVERS] },
  agent: { page: ["api/agents/:id"], beside: SERVERS },
  outages: { page: [] },
  outage: { page: ["api/outages/:id"] },
  reports: { page: [] },
  notifications: { page: ["api/notifications?specific=0", "api/notifications/exceptions?offset=0", "api/thresholds"] },
  statusConfig: { page: ["api/status/config"] },
  maintenance: { page: ["api/windows"] },
  users: { page: ["api/users?offset=0"] },
  system: { page: ["api/system"] },
  profile: { page: [] },
  profileSection: { page: [] },
};

const attribute = (value: string): string => value.replaceAll("&", "&amp;");

/** The script element that sends the first requests of a screen, or "" for screens without any. */
export const firstRequestsScript = (screen: ScreenName): string => {
  const own = requests[screen];
  if (!own) return "";
  // Each screen shows how many monitors and servers are down.
  const page = attribute(["api/dashboard", ...own.page].join(" "));
  const beside = own.beside ? ` data-beside="${attribute(own.beside)}"` : "";
  return `<script src="./first-requests.js" data-page="${page}"${beside}></script>`;
};
