import { api, payload } from "../../api";
import { hubNow } from "../../lib/now";
import { resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { onChanges } from "../../live";
import { type Covered, chartQuery } from "../../ui/charts/chart-range";
import { serversDownAtom } from "../../ui/layout/page-title";
import { createPaging, isOutdated, type Listing, searchQuery, tagQuery } from "../../ui/lists/paging";
import { byServer, withReport } from "./live";
import type { ServerStatus } from "./server-status";

export type Server = Awaited<ReturnType<typeof listServers>>["agents"][number];
export type ServerDetail = Awaited<ReturnType<typeof findServer>>["agent"];
/** The figures at one time: by the names of the metrics that every agent sends, or by the names of further series. */
export type Point = Readonly<Record<string, number | null>> & { readonly t: number };

export const ranges = ["1h", "24h", "7d", "30d", "1y"] as const;
export type Range = (typeof ranges)[number];

const serverRoute = (id: number | string) => api.agents({ id });

/** The agent with its addresses as a list: a hub may also send them as the JSON text of a list. */
const withAddresses = <T extends { ip_addresses: readonly string[] | string }>(agent: T) => ({
  ...agent,
  ip_addresses: parseAddresses(agent.ip_addresses),
});

const parseAddresses = (sent: unknown): string[] => {
  let list = sent;
  try {
    if (typeof sent === "string") list = JSON.parse(sent);
  } catch {
    // Text that is not a JSON list is shown as no addresses.
  }
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
};

/** How the list of agents is searched, filtered and sorted. */
export type Selection = {
  search: string;
  tags: string[];
  /** `alerts`: online servers with open outages. `unknown`: all, while nothing can be known. */
  filter: "all" | ServerStatus | "alerts" | "unknown";
  sort: (typeof sorts)[number];
  order: "asc" | "desc";
};

/** The sort orders of the list, the default first. */
export const sorts = [
  ...(["status", "name", "hostname", "cpu", "memory", "disk", "network", "traffic", "load", "uptime"] as const),
  ...(["disk_full", "reported", "os"] as const),
] as const;

/** A part of the viewer's agents, without their disks and swap. */
const listServers = async ({ search, filter, tags, sort, order, offset, limit }: Listing<Selection>) => {
  const { total, counts, agents } = await payload(
    api.agents.get({
      query: {
        ...{ offset, limit, sort, order },
        ...searchQuery(search),
        ...tagQuery(tags),
        ...(filter !== "all" && filter !== "unknown" && { status: filter }),
      },
    }),
  );
  return { total, counts, agents: agents.map(withAddresses) };
};

/** The agents that enrolled last, newest first. */
const listNewest = async () => {
  const { agents } = await payload(api.agents.get({ query: { sort: "created", order: "desc", limit: NEWEST } }));
  return { agents: agents.map(withAddresses) };
};

/** More machines than are added during a visit of the guide. */
const NEWEST = 50;

const findServer = async (id: number | string) => {
  const answer = await payload(serverRoute(id).get());
  return { ...answer, agent: withAddresses(answer.agent) };
};

type Changes = Parameters<ReturnType<typeof serverRoute>["put"]>[0];

/** Saves the name, the tags and the plan of a server. */
export const updateServer = (id: number | string, body: Changes) => payload(serverRoute(id).put(body));

type Series = Awaited<ReturnType<typeof callMetrics>>["series"];

/** Several series as one list of points, oldest first. */
const joinSeries = (series: Series): Point[] => {
  const byTime = new Map<number, Record<string, number> & { t: number }>();
  for (const { name, points } of series)
    for (const { t, value } of points) byTime.set(t, { ...byTime.get(t), t, [name]: value });
  return [...byTime.values()].toSorted((a, b) => a.t - b.t);
};

// A list is sent as one parameter for each name, because a name may contain a comma.
const callMetrics = (id: number, covered: Covered<Range>, names: readonly string[]) =>
  payload(
    serverRoute(id).metrics.get({
      query: { ...chartQuery(covered), ...(names.length > 0 && { series: names as unknown as string }) },
    }),
  );

/** The metrics of one agent, and the further series with these names, as points of charts. */
const readMetrics = async (id: number, covered: Covered<Range>, names: string[]) => {
  const { points, series, gaps, maintenance } = await callMetrics(id, covered, names);
  return { names, points: points as readonly Point[], further: joinSeries(series), gaps, maintenance };
};

const readTraffic = (id: string) => payload(serverRoute(id).traffic.get({ query: { months: 13 } }));

/** The traffic of a server by day and month. It changes with its reports: useRefreshOn refreshes it. */
export const trafficAtom = resourceFamily(readTraffic, { every: null });

/** The yearly cost of the viewer's servers. */
export const costsAtom = resource(() => payload(api.agents.costs.get()));

/** Creates an enrollment token, for one new machine by default. The hub returns its value only here. */
export const generateToken = (wanted: { uses?: number; expires_at?: string } = {}) =>
  payload(api.agents.token.generate.post(wanted));

/** The viewer's tokens that have not expired, without their values. */
export const listTokens = () => payload(api.agents.tokens.get());

export const revokeToken = (id: number) => payload(api.agents.tokens({ id }).delete());

/** How long after enrollment the first report is expected, in ms. */
const firstReportWithin = 2 * 60_000;

/** Whether an agent enrolled a moment ago and has not reported yet. */
const awaitsFirstReport = ({ status, created_at }: Pick<Server, "status" | "created_at">) =>
  status === "connecting" && hubNow() - Date.parse(created_at) < firstReportWithin;

const paging = createPaging<Selection>({ search: "", tags: [], filter: "all", sort: "status", order: "asc" });

let loaded: Server[] = [];

const loadServers = async () => {
  const listing = paging.wanted();
  const answer = await listServers(listing);
  loaded = shareUnchanged(loaded, answer.agents);
  return { ...answer, agents: loaded, listing };
};

/** The shown part of the list of agents. */
export const serversAtom = resource(loadServers, {
  pollFast: ({ agents }) => agents.some(awaitsFirstReport),
  onLoaded: ({ counts }, set) => set(serversDownAtom, counts.inactive),
});

/** Chooses which agents the next load of `serversAtom` has. Returns whether they are others than before. */
export const wantServers = paging.want;

/** Chooses what a list that is opened loads first. */
export const openServers = paging.open;

/** Loads the agents that are wanted once there is a pause in typing and scrolling. */
export const loadAfterPause = paging.loadAfterPause;

/** For the guide, which waits for a new machine: refreshed every 3 s. */
export const newServersAtom = resource(listNewest, { every: 3000 });

export const serverAtom = resourceFamily((id: string) => findServer(id), {
  pollFast: ({ agent }) => awaitsFirstReport(agent),
});

/** The key of the metrics of an agent, with further series. */
export const metricsKey = (id: number, covered: Covered<Range>, names: readonly string[]): string =>
  JSON.stringify([id, covered, names]);

/** Metrics change with the agent's last report, which is polled: useRefreshOn refreshes them. */
export const metricsAtom = resourceFamily(
  (key: string) => readMetrics(...(JSON.parse(key) as [id: number, covered: Covered<Range>, names: string[]])),
  { every: null },
);

/** The number of servers. The one on screen may be gone when it changes. */
let latestTotal: number | undefined;

onChanges(({ agents: reports, outages, counts }) => {
  const newest = byServer(reports);
  // An outage that was acknowledged is published, too.
  for (const { target_type, target_id } of outages)
    if (target_type === "agent") serverAtom.known(String(target_id))?.refreshSoon();
  if (counts && counts.agents.all !== latestTotal) {
    latestTotal = counts.agents.all;
    serverAtom.refreshSoon();
  }
  if (outages.some(({ target_type }) => target_type === "agent")) serversAtom.refreshSoon();
  if (newest.size === 0 && !counts) return;
  serversAtom.edit((list) => {
    const agents = list.agents.map((agent) => withReport(agent, newest.get(agent.id)));
    // Reports do not include when a server went offline.
    const changed = agents.some(({ status }, place) => status !== list.agents[place]?.status);
    // The number of servers with alerts changes with outages, which load the list again.
    const { alerts, ...statuses } = list.counts;
    const before = { ...list, items: list.agents, counts: statuses };
    if (changed || isOutdated(before, agents, counts?.agents, newest.keys())) serversAtom.refreshSoon();
    return { ...list, agents, counts: { ...(counts?.agents ?? statuses), alerts } };
  });
  newServersAtom.edit((list) => {
    if (Math.max(...newest.keys()) > (list.agents[0]?.id ?? 0)) newServersAtom.refreshSoon();
    return { agents: list.agents.map((agent) => withReport(agent, newest.get(agent.id))) };
  });
  for (const [id, report] of newest) {
    const detail = serverAtom.known(String(id));
    detail?.edit((shown) => {
      // Disks, swap and outages are read with the server only.
      detail.refreshSoon();
      return { ...shown, agent: withReport(shown.agent, report) };
    });
  }
});
