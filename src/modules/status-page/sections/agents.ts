import { and, eq } from "drizzle-orm";
import { ownedBy } from "../../../db/owner";
import { agentStates, agents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { type AgentRow, type PublicAgent, presentAgent } from "../present";
import type { StatusPage } from "../service";
import { inOrder, type Section, type Store } from "./section";

const read = async ({ db }: Store, { userId, agents: ids }: StatusPage): Promise<AgentRow[]> => {
  if (ids.length === 0) return [];
  const { id, name, hostname, os, version } = agents;
  const { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx } = agentStates;
  const figures = { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx };
  const rows = await db
    .select({ id, name, hostname, os, version, ...figures })
    .from(agents)
    .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
    .where(and(ownedBy(agents, userId), isOneOf(agents.id, ids)));
  return inOrder(rows, ids);
};

/** The servers, with their resource figures and the facts that their owner shows. */
export const agentsSection: Section<"agents", AgentRow, PublicAgent> = {
  key: "agents",
  read,
  present: presentAgent,
  changedAt: ({ reportedAt }) => reportedAt,
  health: ({ status }) => (status === "inactive" ? "bad" : status === "active" ? "good" : null),
};
