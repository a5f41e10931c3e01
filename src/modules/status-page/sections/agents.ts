import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { ownedBy } from "../../../db/owner";
import { agentStates, agents, outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTimeOrNull } from "../../../lib/time";
import { component, id, nullable, number, optional, text, time } from "../../../server/answers";
import { withPending } from "../../agents/ingest/pending";
import { percentField, statusField, tenth } from "../../agents/present";
import { isOpenOutage } from "../../outages/statements";
import type { StatusPage } from "../service";
import { inOrder, type Section, type Store } from "./section";

export const PublicAgentSchema = component("PublicAgent", {
  id: id("The server's id.", 5),
  name: text("Its name.", "Database"),
  status: statusField,
  since: nullable(time("Since when it is offline; null unless it is."), null),
  hostname: optional(text("The machine's host name, if the owner shows it.", "db-1")),
  os: optional(text("Its operating system, if the owner shows it.", "Debian GNU/Linux 12 (bookworm)")),
  version: optional(text("The version of the system, if the owner shows it.", "6.1.0")),
  cpu: percentField("CPU usage", 12.5),
  memory: percentField("Memory in use", 25),
  disk: percentField("Disk space in use", 50),
  network_rx: nullable(number("Received, in KB/s.", 8)),
  network_tx: nullable(number("Sent, in KB/s.", 2.5)),
});
export type PublicAgent = Static<typeof PublicAgentSchema>;

/** What is read of a server: only what visitors may see. */
type AgentRow = Pick<typeof agents.$inferSelect, "id" | "name" | "hostname" | "os" | "version"> &
  Pick<
    typeof agentStates.$inferSelect,
    | "status"
    | "reportedAt"
    | "cpu"
    | "memoryTotal"
    | "memoryUsed"
    | "diskTotal"
    | "diskUsed"
    | "networkRx"
    | "networkTx"
  > & { offlineSince: number | null };

const percentOf = (used: number | null, total: number | null) =>
  used === null || !total ? null : tenth(Math.min(100, (used / total) * 100));

/** What an owner shows of each server besides its name and figures. */
type AgentSwitches = { showHostname: boolean; showOs: boolean; showVersion: boolean };

/** A server as visitors of the page see it: CPU, memory and disk in percent, rates in KB/s; the rest as its owner switched it on. */
const presentAgent = (row: AgentRow, shown: AgentSwitches): PublicAgent => ({
  id: row.id,
  name: row.name,
  status: row.status,
  since: row.status === "inactive" ? isoTimeOrNull(row.offlineSince) : null,
  ...(shown.showHostname && { hostname: row.hostname }),
  ...(shown.showOs && { os: row.os }),
  ...(shown.showVersion && { version: row.version }),
  cpu: tenth(row.cpu),
  memory: percentOf(row.memoryUsed, row.memoryTotal),
  disk: percentOf(row.diskUsed, row.diskTotal),
  network_rx: tenth(row.networkRx),
  network_tx: tenth(row.networkTx),
});

const read = async ({ db }: Store, { userId, agents: ids }: StatusPage): Promise<AgentRow[]> => {
  if (ids.length === 0) return [];
  const { id, name, hostname, os, version } = agents;
  const { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx } = agentStates;
  const figures = { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx };
  const rows = await db
    .select({ id, name, hostname, os, version, ...figures, offlineSince: outages.startedAt })
    .from(agents)
    .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
    .leftJoin(outages, isOpenOutage("agent", agents.id, "offline"))
    .where(and(ownedBy(agents, userId), isOneOf(agents.id, ids)));
  return inOrder(
    rows.map((row) => withPending(db, row.id, row)),
    ids,
  );
};

/** The servers, with their resource figures and the facts that their owner shows. */
export const agentsSection: Section<"agents", AgentRow, PublicAgent> = {
  key: "agents",
  read,
  present: presentAgent,
  changedAt: ({ reportedAt }) => reportedAt,
  health: ({ status }) => (status === "inactive" ? "bad" : status === "active" ? "good" : null),
};
