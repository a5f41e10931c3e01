import { asc, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { type Viewer, visibleTo } from "../../db/owner";
import { agents, agentStates as states } from "../../db/schema";
import { SECOND } from "../../shared/limits";
import { countAgents } from "../agents/service";
import { type Family, family, gaugesOf, MAX_TARGETS } from "./text";

const KILOBYTE = 1024;

const readAgents = ({ db }: Deps, viewer: Viewer) =>
  db
    .select({ name: agents.name, state: states })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(visibleTo(agents, viewer))
    .orderBy(asc(agents.id))
    .limit(MAX_TARGETS)
    .then((rows) => rows.map(({ name, state }) => ({ ...state, id: state.agentId, name })));

type Row = Awaited<ReturnType<typeof readAgents>>[number];

const times = (figure: number | null, factor: number) => (figure === null ? null : figure * factor);

const FIGURES = [
  {
    name: "up",
    help: "Whether the agent reports (1) or has fallen silent (0). One that never reported has none.",
    of: ({ status }: Row) => (status === "connecting" ? null : Number(status === "active")),
  },
  { name: "cpu_ratio", help: "The share of CPU in use.", of: ({ cpu }: Row) => times(cpu, 0.01) },
  { name: "memory_total_bytes", help: "Memory.", of: ({ memoryTotal }: Row) => memoryTotal },
  { name: "memory_used_bytes", help: "Memory in use.", of: ({ memoryUsed }: Row) => memoryUsed },
  { name: "disk_total_bytes", help: "Disks, all together.", of: ({ diskTotal }: Row) => diskTotal },
  { name: "disk_used_bytes", help: "Disks in use, all together.", of: ({ diskUsed }: Row) => diskUsed },
  {
    name: "network_receive_bytes_per_second",
    help: "What the machine receives.",
    of: ({ networkRx }: Row) => times(networkRx, KILOBYTE),
  },
  {
    name: "network_transmit_bytes_per_second",
    help: "What the machine sends.",
    of: ({ networkTx }: Row) => times(networkTx, KILOBYTE),
  },
  {
    name: "last_report_timestamp_seconds",
    help: "When the agent last reported.",
    of: ({ reportedAt }: Row) => times(reportedAt, 1 / SECOND),
  },
].map((figure) => ({ ...figure, name: `wakeful_agent_${figure.name}` }));

/** Metrics of the servers visible to a viewer. */
export const agentFamilies = async (deps: Deps, viewer: Viewer): Promise<Family[]> => {
  const { all: _, ...counts } = await countAgents(deps, viewer);
  return [
    family("wakeful_agents", "gauge", "How many servers stand where.", counts, "status"),
    ...gaugesOf(await readAgents(deps, viewer), FIGURES),
  ];
};
