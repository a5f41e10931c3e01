import { and, asc, eq, isNotNull, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, agentStates as states } from "../../../db/schema";
import { inByteOrder, isOneOf } from "../../../db/sql";
import { readServers } from "../ingest/states";
import { readUsage, type Usage } from "./present";

type Store = Pick<Deps, "db" | "clock">;

/** Servers whose traffic is added up at once. Between them other requests are answered. */
const AT_ONCE = 500;

/** The use of the month of each of these servers whose traffic is counted, by its id. */
const readAll = async (deps: Store, ids: readonly number[]): Promise<Map<number, Usage>> => {
  const { db, clock } = deps;
  const { id, userId, plan } = agents;
  const now = clock.now();
  const usageByServer = new Map<number, Usage>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from > 0) await clock.sleep(1);
    const isCounted = and(isOneOf(id, ids.slice(from, from + AT_ONCE)), isNotNull(states.traffic));
    const rows = await readServers(db, { id, userId, plan, traffic: states.traffic }, isCounted);
    const counted = rows.map(({ traffic, ...agent }) => ({ agent, state: { traffic } }));
    for (const usage of await readUsage(deps, counted, now)) usageByServer.set(usage.agentId, usage);
  }
  return usageByServer;
};

/** Those with a quota come before those without, and these before those whose traffic is not counted. */
const groupOf = (usage: Usage | undefined): number => (usage ? Number(usage.percent === null) : 2);

/**
 * The ids of the servers that meet a condition in the order of their traffic: those with a quota by the share of it that
 * is used in the current month, then the others by their bytes. Equal ones are in the order of their names.
 */
export const sortByTraffic = async (
  deps: Store,
  condition: SQL | undefined,
  order: "asc" | "desc",
): Promise<number[]> => {
  const rows = await deps.db
    .select({ id: agents.id })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(condition)
    .orderBy(inByteOrder(agents.nameKey), asc(agents.id));
  const ids = rows.map(({ id }) => id);
  const usages = await readAll(deps, ids);
  const sign = order === "asc" ? 1 : -1;
  const figureOf = (usage: Usage | undefined) => usage?.percent ?? usage?.used ?? 0;
  return ids.toSorted((one, other) => {
    const [a, b] = [usages.get(one), usages.get(other)];
    return groupOf(a) - groupOf(b) || sign * (figureOf(a) - figureOf(b));
  });
};
