import { getTableColumns } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import {
  type Figure,
  family,
  figuresOf,
  labelOf,
  labelsOf,
  MAX_TARGETS,
  type ReadFamilies,
  seconds,
  tagLabels,
} from "../../core/prometheus";
import { type Viewer, visibleTo } from "../../db/owner";
import { agentStates, agents } from "../../db/schema";
import { readTags } from "../tags/service";
import { readServers } from "./ingest/states";
import { countServers } from "./service";

const KILOBYTE = 1024;

const readFigures = async ({ db }: Deps, viewer: Viewer) => {
  const { name, hostname, os } = agents;
  const columns = { ...getTableColumns(agentStates), name, hostname, os };
  const rows = await readServers(db, columns, visibleTo(agents, viewer), MAX_TARGETS);
  const tags = await readTags(
    { db },
    "agent",
    rows.map(({ agentId }) => agentId),
  );
  return rows.map((row) => ({ ...row, id: row.agentId, tags: tags.get(row.agentId) ?? [] }));
};

type ServerRow = Awaited<ReturnType<typeof readFigures>>[number];

const times = (figure: number | null, factor: number) => (figure === null ? null : figure * factor);

/** The counters of each network interface: of received data at 0, of sent data at 1. */
const bytesOf =
  (at: 0 | 1) =>
  ({ traffic }: ServerRow) =>
    Object.entries(traffic?.counters ?? {}).map(
      ([device, counters]) => [labelOf("device", device), counters[at]] as const,
    );

const FIGURES: Figure<ServerRow>[] = [
  {
    name: "wakeful_server_up",
    help: "Whether the server reports (1) or is offline (0); absent before its first report.",
    of: ({ status }) => (status === "connecting" ? null : Number(status === "active")),
  },
  { name: "wakeful_server_cpu_ratio", help: "CPU usage, from 0 to 1.", of: ({ cpu }) => times(cpu, 0.01) },
  { name: "wakeful_server_cpus", help: "Number of processors.", of: ({ extra }) => extra?.processors },
  { name: "wakeful_server_load1", help: "Load average over 1 minute.", of: ({ extra }) => extra?.load?.[0] },
  { name: "wakeful_server_load5", help: "Load average over 5 minutes.", of: ({ extra }) => extra?.load?.[1] },
  { name: "wakeful_server_load15", help: "Load average over 15 minutes.", of: ({ extra }) => extra?.load?.[2] },
  { name: "wakeful_server_memory_total_bytes", help: "Size of the memory.", of: ({ memoryTotal }) => memoryTotal },
  { name: "wakeful_server_memory_used_bytes", help: "Memory in use.", of: ({ memoryUsed }) => memoryUsed },
  { name: "wakeful_server_swap_total_bytes", help: "Size of the swap space.", of: ({ extra }) => extra?.swap?.total },
  { name: "wakeful_server_swap_used_bytes", help: "Swap space in use.", of: ({ extra }) => extra?.swap?.used },
  { name: "wakeful_server_disk_total_bytes", help: "Size of all disks.", of: ({ diskTotal }) => diskTotal },
  { name: "wakeful_server_disk_used_bytes", help: "Space in use on all disks.", of: ({ diskUsed }) => diskUsed },
  {
    name: "wakeful_server_filesystem_total_bytes",
    help: "Size of each filesystem, without the blocks reserved for root.",
    of: ({ extra }) => extra?.disks?.map(({ mount, total }) => [labelOf("mount", mount), total]),
  },
  {
    name: "wakeful_server_filesystem_used_bytes",
    help: "Space in use on each filesystem.",
    of: ({ extra }) => extra?.disks?.map(({ mount, used }) => [labelOf("mount", mount), used]),
  },
  {
    name: "wakeful_server_network_receive_bytes_per_second",
    help: "Rate at which the machine receives data.",
    of: ({ networkRx }) => times(networkRx, KILOBYTE),
  },
  {
    name: "wakeful_server_network_transmit_bytes_per_second",
    help: "Rate at which the machine sends data.",
    of: ({ networkTx }) => times(networkTx, KILOBYTE),
  },
  {
    name: "wakeful_server_network_receive_bytes_total",
    type: "counter",
    help: "Data received by each network interface since the machine started.",
    of: bytesOf(0),
  },
  {
    name: "wakeful_server_network_transmit_bytes_total",
    type: "counter",
    help: "Data sent by each network interface since the machine started.",
    of: bytesOf(1),
  },
  {
    name: "wakeful_server_temperature_celsius",
    help: "Temperature of each sensor.",
    of: ({ extra }) => extra?.temperatures?.map(({ sensor, celsius }) => [labelOf("sensor", sensor), celsius]),
  },
  {
    name: "wakeful_server_boot_timestamp_seconds",
    help: "Start time of the machine since the Unix epoch.",
    of: ({ extra }) => (extra?.boot_time ? seconds(Date.parse(extra.boot_time)) : null),
  },
  {
    name: "wakeful_server_last_report_timestamp_seconds",
    help: "Time of the last report since the Unix epoch.",
    of: ({ reportedAt }) => seconds(reportedAt),
  },
];

/** Metrics of the servers visible to a viewer. */
export const serverFamilies: ReadFamilies = async (deps, viewer) => {
  const { all: _, ...counts } = await countServers(deps, viewer);
  const rows = await readFigures(deps, viewer);
  return [
    family("wakeful_servers", "gauge", "Number of servers by status.", { label: "status", by: counts }),
    {
      name: "wakeful_server_info",
      type: "gauge",
      help: "Hostname, system, agent version and tags of the server, to join with other metrics by id; always 1.",
      lines: rows.map(({ id, name, hostname, os, extra, tags }) => ({
        labels: labelsOf({ id, name, hostname, os, agent_version: extra?.agent_version ?? "", ...tagLabels(tags) }),
        value: 1,
      })),
    },
    ...figuresOf(rows, FIGURES),
  ];
};
