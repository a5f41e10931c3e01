import { api, payload } from "../../api";
import { allPages, resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { onChanges } from "../../live";
import { agentsDownAtom } from "../../ui/layout/page-title";
import { byAgent, withReport } from "./live";

export type Agent = Awaited<ReturnType<typeof listAgents>>["agents"][number];
export type AgentDetail = Awaited<ReturnType<typeof findAgent>>["agent"];
export type Point = Awaited<ReturnType<typeof readMetrics>>["points"][number];

export const ranges = ["1h", "24h", "7d", "30d", "1y"] as const;
export type Range = (typeof ranges)[number];
/** The length of each range in days. */
export const rangeDays: Record<Range, number> = { "1h": 1 / 24, "24h": 1, "7d": 7, "30d": 30, "1y": 365 };

const agentRoute = (id: number | string) => api.agents({ id });

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

/** The viewer's agents, without their disks and swap. */
export const listAgents = async () => {
  const page = (offset: number) => payload(api.agents.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ agents }) => agents);
  return { ...first, agents: items.map(withAddresses) };
};

export const findAgent = async (id: number | string) => {
  const answer = await payload(agentRoute(id).get());
  return { ...answer, agent: withAddresses(answer.agent) };
};

export const renameAgent = (id: number | string, name: string) => payload(agentRoute(id).put({ name }));

export const deleteAgent = (id: number | string) => payload(agentRoute(id).delete());

/** The metrics of one agent over a range, as points of a chart. */
const readMetrics = (id: number | string, range: Range) => payload(agentRoute(id).metrics.get({ query: { range } }));

/** Creates an enrollment token for one new machine. The hub returns its value only here. */
export const generateToken = () => payload(api.agents.token.generate.post());

/** The viewer's tokens that have not expired, without their values. */
export const listTokens = () => payload(api.agents.tokens.get());

export const revokeToken = (id: number) => payload(api.agents.tokens({ id }).delete());

/** How long after enrollment the first report is expected, in ms. */
const firstReportWithin = 2 * 60_000;

/** Whether an agent enrolled a moment ago and has not reported yet. */
const awaitsFirstReport = ({ status, created_at }: Pick<Agent, "status" | "created_at">) =>
  status === "connecting" && Date.now() - Date.parse(created_at) < firstReportWithin;

let loaded: Agent[] = [];

const loadAgents = async () => {
  const answer = await listAgents();
  loaded = shareUnchanged(loaded, answer.agents);
  return { ...answer, agents: loaded };
};

export const agentsAtom = resource(loadAgents, {
  soon: ({ agents }) => agents.some(awaitsFirstReport),
  learned: ({ counts }, set) => set(agentsDownAtom, counts.inactive),
});

/** The same list for the guide, which waits for a new machine: refreshed every 3 s. */
export const newAgentsAtom = resource(listAgents, { every: 3000 });

export const agentAtom = resourceFamily((id: string) => findAgent(id), {
  soon: ({ agent }) => awaitsFirstReport(agent),
});

/** Metrics change with the agent's last report, which is polled: useRefreshOn refreshes them. */
export const metricsAtom = resourceFamily(
  (key: `${string}/${Range}`) => {
    const [id = "", range] = key.split("/");
    return readMetrics(id, range as Range);
  },
  { every: null },
);

type Listed = Awaited<ReturnType<typeof loadAgents>>;

/** Whether a list without pages beyond its limit lacks a server, or shows other numbers than the server counts. */
const isOutdated = (
  { agents, total }: Pick<Listed, "agents" | "total">,
  counts: Listed["counts"] | undefined,
  ids: Iterable<number>,
) => {
  if (agents.length < total) return false;
  const known = new Set(agents.map(({ id }) => id));
  return [...ids].some((id) => !known.has(id)) || (counts !== undefined && counts.all !== agents.length);
};

onChanges(({ agents: reports, counts }) => {
  const newest = byAgent(reports);
  if (newest.size === 0 && !counts) return;
  for (const list of [agentsAtom, newAgentsAtom])
    list.edit((shown) => {
      // Since when a server is offline is not part of a report.
      const changed = shown.agents.some(({ id, status }) => (newest.get(id)?.status ?? status) !== status);
      const next = {
        ...shown,
        agents: shown.agents.map((agent) => withReport(agent, newest.get(agent.id))),
        counts: counts?.agents ?? shown.counts,
      };
      if (changed || isOutdated(next, counts?.agents, newest.keys())) list.refreshSoon();
      return next;
    });
  for (const [id, report] of newest) {
    const detail = agentAtom.known(String(id));
    detail?.edit((shown) => {
      // Disks, swap and outages are read with the server only.
      detail.refreshSoon();
      return { ...shown, agent: withReport(shown.agent, report) };
    });
  }
});
