import { api, payload } from "../../api";
import { allPages } from "../../lib/all-pages";

export type Agent = Awaited<ReturnType<typeof listAgents>>["agents"][number];
export type AgentDetail = Awaited<ReturnType<typeof findAgent>>["agent"];
export type Point = Awaited<ReturnType<typeof metrics>>["points"][number];

export const ranges = ["1h", "24h", "7d", "30d", "1y"] as const;
export type Range = (typeof ranges)[number];
export const rangeDays: Record<Range, number> = { "1h": 1 / 24, "24h": 1, "7d": 7, "30d": 30, "1y": 365 };

const one = (id: number | string) => api.agents({ id });

/** Addresses may also be sent as the JSON text of a list. */
const withAddresses = <T extends { ip_addresses: readonly string[] | string }>(agent: T) => ({
  ...agent,
  ip_addresses: parseAddresses(agent.ip_addresses),
});

const parseAddresses = (sent: unknown): string[] => {
  let list = sent;
  try {
    if (typeof sent === "string") list = JSON.parse(sent);
  } catch {
    // What is no list of addresses is shown as none.
  }
  return Array.isArray(list) ? list.filter((address) => typeof address === "string") : [];
};

export const listAgents = async () => {
  const page = (offset: number) => payload(api.agents.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ agents }) => agents);
  return { ...first, agents: items.map(withAddresses) };
};

export const findAgent = async (id: number | string) => {
  const answer = await payload(one(id).get());
  return { ...answer, agent: withAddresses(answer.agent) };
};

export const renameAgent = (id: number | string, name: string) => payload(one(id).put({ name }));

export const deleteAgent = (id: number | string) => payload(one(id).delete());

export const metrics = (id: number | string, range: Range) => payload(one(id).metrics.get({ query: { range } }));

/** A token that one new machine can enroll with. It is never shown again. */
export const generateToken = () => payload(api.agents.token.generate.post());

/** The viewer's tokens that have not expired, without their values. */
export const listTokens = () => payload(api.agents.tokens.get());

export const revokeToken = (id: number) => payload(api.agents.tokens({ id }).delete());
