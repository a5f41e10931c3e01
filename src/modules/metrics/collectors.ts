import { asc, eq, isNotNull, isNull } from "drizzle-orm";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import { type Viewer, visibleTo } from "../../db/owner";
import { agentStates, agents, deliveries, events, monitorStates, monitors } from "../../db/schema";
import { SECOND } from "../../shared/limits";
import { CONDITIONS } from "../../shared/monitor";
import { withPending } from "../agents/ingest/pending";
import { countAgents } from "../agents/service";
import { readUptime } from "../monitors/history/uptime";
import { countMonitors, readPacketLosses } from "../monitors/list";
import { shownStatus } from "../monitors/present";
import { type Family, family, gaugesOf, histogramFamily, labelsOf } from "./text";

/** Maximum monitors, and servers, with their own lines. Beyond it only their number is reported. */
const MAX_TARGETS = 5000;
const KILOBYTE = 1024;

/** Metrics of the process, under the names of Prometheus' client libraries. */
const processFamilies = ({ clock }: Deps): Family[] => {
  const { user, system } = process.cpuUsage();
  const startedAt = Math.round(clock.now() / SECOND - process.uptime());
  return [
    family("process_start_time_seconds", "gauge", "Start time of the process since the Unix epoch.", startedAt),
    family("process_cpu_seconds_total", "counter", "CPU time used by the process.", (user + system) / 1e6),
    family("process_resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()),
  ];
};

/** Metrics of checks, reports, alerts and the database of the hub, and of its process. */
export const hubFamilies = async (deps: Deps): Promise<Family[]> => {
  const { db, meters, instance, outbound } = deps;
  const active = new Set(outbound.conditions().map(({ code }) => code));
  const conditions = Object.fromEntries(CONDITIONS.map((code) => [code, active.has(code) ? 1 : 0]));
  const info = labelsOf({ version, instance, database: db.engine });
  const unplanned = await db.$count(events, isNull(events.plannedAt));
  const pending = await db.$count(deliveries, isNotNull(deliveries.nextAttemptAt));
  return [
    {
      name: "wakeful_info",
      type: "gauge",
      help: "Version, instance and database of the hub; always 1.",
      lines: [{ labels: info, value: 1 }],
    },
    family("wakeful_checks_total", "counter", "Checks recorded by this process.", {
      label: "result",
      by: { ...meters.checks },
    }),
    histogramFamily(
      "wakeful_check_lateness_seconds",
      "Time between the due time and the start of scheduled checks.",
      meters.lateness,
    ),
    family("wakeful_checks_in_flight", "gauge", "Checks that run in this process.", meters.checksInFlight()),
    family(
      "wakeful_checks_waiting",
      "gauge",
      "Due checks that wait for a concurrency or rate limit of their user, of a host or of this process.",
      meters.checksWaiting(),
    ),
    family("wakeful_condition", "gauge", "Whether a condition of the hub itself prevents checks (1) or not (0).", {
      label: "condition",
      by: conditions,
    }),
    family("wakeful_pings_total", "counter", "Pings of heartbeats stored by this process.", {
      label: "kind",
      by: { ...meters.pings },
    }),
    family("wakeful_reports_total", "counter", "Agent reports stored by this process.", meters.reports),
    family("wakeful_samples_total", "counter", "Samples in the stored agent reports.", meters.samples),
    family("wakeful_samples_waiting", "gauge", "Samples that are not stored yet.", meters.samplesWaiting()),
    family("wakeful_events_unplanned", "gauge", "Events whose deliveries are not planned yet.", unplanned),
    family("wakeful_deliveries_pending", "gauge", "Deliveries that are not sent yet.", pending),
    family(
      "wakeful_deliveries_total",
      "counter",
      "Deliveries that this process sent, or gave up after their last attempt.",
      { label: "result", by: { ...meters.deliveries } },
    ),
    family("wakeful_database_size_bytes", "gauge", "Size of the database.", await db.size()),
    family("wakeful_event_loop_delay_seconds", "gauge", "Delay of the event loop during the last full minute.", {
      label: "quantile",
      by: meters.eventLoopDelay(),
    }),
    ...processFamilies(deps),
  ];
};

const readMonitors = async (deps: Deps, viewer: Viewer) => {
  const rows = await deps.db
    .select({
      id: monitors.id,
      name: monitors.name,
      kind: monitors.kind,
      active: monitors.active,
      status: monitorStates.status,
      slowBits: monitorStates.slowBits,
      responseTime: monitorStates.responseTime,
      lastCheckedAt: monitorStates.lastCheckedAt,
      certExpiresAt: monitorStates.certExpiresAt,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorId, monitors.id))
    .where(visibleTo(monitors, viewer))
    .orderBy(asc(monitors.id))
    .limit(MAX_TARGETS);
  const uptimes = await readUptime(
    deps,
    rows.map(({ id }) => id),
  );
  const losses = await readPacketLosses(deps, rows);
  return rows.map((row) => ({ ...row, uptime: uptimes.get(row.id) ?? null, packetLoss: losses.get(row.id) ?? null }));
};

type MonitorRow = Awaited<ReturnType<typeof readMonitors>>[number];

const times = (figure: number | null, factor: number) => (figure === null ? null : figure * factor);
const seconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / SECOND);

const MONITOR_GAUGES = [
  {
    name: "wakeful_monitor_active",
    help: "Whether the monitor is active (1) or paused (0).",
    of: ({ active }: MonitorRow) => Number(active),
  },
  {
    name: "wakeful_monitor_up",
    help: "Whether the last check found the monitor up (1) or down (0); absent while it is paused or not checked yet.",
    of: ({ active, status }: MonitorRow) => (active && status !== "pending" ? Number(status === "up") : null),
  },
  {
    name: "wakeful_monitor_degraded",
    help: "Whether the monitor is up, but responds slowly (1) or not (0); absent while it is paused or not checked yet.",
    of: ({ active, ...state }: MonitorRow) =>
      active && state.status !== "pending" ? Number(shownStatus(active, state) === "degraded") : null,
  },
  {
    name: "wakeful_monitor_response_seconds",
    help: "Response time of the last check; for a heartbeat, the duration of the last run.",
    of: ({ responseTime }: MonitorRow) => seconds(responseTime),
  },
  {
    name: "wakeful_monitor_packet_loss_ratio",
    help: "Share of the packets that were lost in the last 40 checks of a ping monitor.",
    of: ({ packetLoss }: MonitorRow) => (packetLoss === null ? null : Math.round(packetLoss * 10) / 1000),
  },
  {
    name: "wakeful_monitor_uptime_ratio",
    help: "Share of the watched time of the last 30 days during which the monitor was up.",
    of: ({ uptime }: MonitorRow) => (uptime === null ? null : uptime / 100),
  },
  {
    name: "wakeful_monitor_last_check_timestamp_seconds",
    help: "Time of the last check since the Unix epoch.",
    of: ({ lastCheckedAt }: MonitorRow) => seconds(lastCheckedAt),
  },
  {
    name: "wakeful_monitor_certificate_expiry_timestamp_seconds",
    help: "Time at which the certificate that the last check saw expires, since the Unix epoch.",
    of: ({ certExpiresAt }: MonitorRow) => seconds(certExpiresAt),
  },
];

/** Metrics of the monitors visible to a viewer, without URLs, headers and bodies. */
export const monitorFamilies = async (deps: Deps, viewer: Viewer): Promise<Family[]> => {
  const gauges = gaugesOf(await readMonitors(deps, viewer), MONITOR_GAUGES);
  const { all: _, degraded, ...counts } = await countMonitors(deps, viewer);
  return [
    family("wakeful_monitors", "gauge", "Number of monitors by status.", { label: "status", by: counts }),
    family(
      "wakeful_monitors_degraded",
      "gauge",
      "Number of monitors that are up, but respond slowly; `up` includes them.",
      degraded,
    ),
    ...gauges,
  ];
};

const readAgents = ({ db }: Deps, viewer: Viewer) =>
  db
    .select({ name: agents.name, state: agentStates })
    .from(agents)
    .innerJoin(agentStates, eq(agentStates.agentId, agents.id))
    .where(visibleTo(agents, viewer))
    .orderBy(asc(agents.id))
    .limit(MAX_TARGETS)
    .then((rows) =>
      rows.map(({ name, state }) => ({ ...withPending(db, state.agentId, state), id: state.agentId, name })),
    );

type AgentRow = Awaited<ReturnType<typeof readAgents>>[number];

const AGENT_GAUGES = [
  {
    name: "wakeful_agent_up",
    help: "Whether the agent reports (1) or is offline (0); absent before its first report.",
    of: ({ status }: AgentRow) => (status === "connecting" ? null : Number(status === "active")),
  },
  { name: "wakeful_agent_cpu_ratio", help: "CPU usage, from 0 to 1.", of: ({ cpu }: AgentRow) => times(cpu, 0.01) },
  { name: "wakeful_agent_memory_total_bytes", help: "Size of the memory.", of: (row: AgentRow) => row.memoryTotal },
  { name: "wakeful_agent_memory_used_bytes", help: "Memory in use.", of: (row: AgentRow) => row.memoryUsed },
  { name: "wakeful_agent_disk_total_bytes", help: "Size of all disks.", of: (row: AgentRow) => row.diskTotal },
  { name: "wakeful_agent_disk_used_bytes", help: "Space in use on all disks.", of: (row: AgentRow) => row.diskUsed },
  {
    name: "wakeful_agent_network_receive_bytes_per_second",
    help: "Rate at which the machine receives data.",
    of: ({ networkRx }: AgentRow) => times(networkRx, KILOBYTE),
  },
  {
    name: "wakeful_agent_network_transmit_bytes_per_second",
    help: "Rate at which the machine sends data.",
    of: ({ networkTx }: AgentRow) => times(networkTx, KILOBYTE),
  },
  {
    name: "wakeful_agent_last_report_timestamp_seconds",
    help: "Time of the last report since the Unix epoch.",
    of: ({ reportedAt }: AgentRow) => seconds(reportedAt),
  },
];

/** Metrics of the servers visible to a viewer. */
export const agentFamilies = async (deps: Deps, viewer: Viewer): Promise<Family[]> => {
  const { all: _, ...counts } = await countAgents(deps, viewer);
  return [
    family("wakeful_agents", "gauge", "Number of servers by status.", { label: "status", by: counts }),
    ...gaugesOf(await readAgents(deps, viewer), AGENT_GAUGES),
  ];
};
