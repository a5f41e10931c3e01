import type { agentStates, agents } from "../../db/schema";
import { isoTime } from "../../lib/time";

export type AgentRow = { agent: typeof agents.$inferSelect; state: typeof agentStates.$inferSelect };

const isoOrNull = (time: number | null) => (time === null ? null : isoTime(time));
const tenth = (figure: number | null) => (figure === null ? null : Math.round(figure * 10) / 10);

/**
 * An agent as it is answered: shares in percent, sizes in bytes, rates in KB/s, the interval in seconds. `owner` is the
 * name of whom it belongs to, where that is not who asked.
 */
export const presentAgent = ({ agent, state }: AgentRow, owner: string | undefined) => ({
  id: agent.id,
  name: agent.name,
  ...(owner !== undefined && { owner }),
  hostname: agent.hostname,
  ip_addresses: agent.ipAddresses,
  os: agent.os,
  version: agent.version,
  status: state.status,
  cpu_usage: tenth(state.cpu),
  memory_total: state.memoryTotal,
  memory_used: state.memoryUsed,
  disk_total: state.diskTotal,
  disk_used: state.diskUsed,
  network_rx: tenth(state.networkRx),
  network_tx: tenth(state.networkTx),
  load_average: state.extra?.load ?? null,
  boot_time: state.extra?.boot_time ?? null,
  interval: state.interval,
  created_at: isoTime(agent.createdAt),
  updated_at: isoOrNull(state.reportedAt),
});

/** The agent with what only its own screen shows. */
export const presentAgentDetail = (row: AgentRow, owner: string | undefined) => ({
  ...presentAgent(row, owner),
  disks: row.state.extra?.disks ?? null,
  swap: row.state.extra?.swap ?? null,
  agent_version: row.state.extra?.agent_version ?? null,
  unreadable_disks: row.state.extra?.unreadable_disks ?? [],
});
