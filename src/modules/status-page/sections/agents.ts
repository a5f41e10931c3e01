import type { Static } from "@sinclair/typebox";
import { tenth } from "../../../lib/round";
import { isoTimeOrNull } from "../../../lib/time";
import { component, id, nullable, number, optional, text, time } from "../../../server/answers";
import { percentField, statusField } from "../../servers/present";
import { type PublicServer, readPublicServers } from "../../servers/service";
import type { StatusPage } from "../pages/find";
import { maintenanceUntilField, readUntil } from "./maintenance";
import {
  healthOf,
  inOrder,
  measuredField,
  measuredStatus,
  presentUnknownSince,
  type Section,
  type Store,
  statedField,
  unknownSinceField,
} from "./section";

export const PublicAgentSchema = component("PublicAgent", {
  id: id("The server's id.", 5),
  name: text("Its name.", "Database"),
  status: statusField,
  unknown: unknownSinceField,
  maintenance: maintenanceUntilField,
  component_status: statedField,
  measured_status: measuredField,
  since: nullable(
    time("Since when it is offline, or else the start of the incident that gives it its status; null otherwise."),
    null,
  ),
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

const percentOf = (used: number | null, total: number | null) =>
  used === null || !total ? null : tenth(Math.min(100, (used / total) * 100));

/** An owner's choice of details about each server. */
type AgentSwitches = { showHostname: boolean; showOs: boolean; showVersion: boolean };

type Published = { row: PublicServer; maintenance: Static<typeof maintenanceUntilField> };

/** A server as visitors of the page see it: CPU, memory and disk in percent, rates in KB/s; the rest as its owner switched it on. */
const presentServer = ({ row, maintenance }: Published, shown: AgentSwitches): PublicAgent => ({
  id: row.id,
  name: row.name,
  status: row.status,
  unknown: presentUnknownSince(row.unknown),
  maintenance,
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

const read = async (store: Store, page: StatusPage): Promise<Published[]> => {
  const { teamId, agents: ids } = page;
  if (ids.length === 0) return [];
  const maintenanceOf = await readUntil(store, page, "agent", ids);
  const rows = inOrder(await readPublicServers(store, teamId, ids), ids);
  return rows.map((row) => ({ row, maintenance: maintenanceOf(row.id) }));
};

const HEALTH = { active: "good", inactive: "bad", connecting: null } as const;

/** The servers, with their resource figures and the facts that their owner shows. */
export const agentsSection: Section<"agents", Published, PublicAgent> = {
  key: "agents",
  read,
  present: presentServer,
  changedAt: ({ row }) => row.reportedAt,
  health: (shown) => healthOf(shown, shown.unknown ? null : shown.maintenance ? "maintenance" : HEALTH[shown.status]),
  measured: measuredStatus,
};
