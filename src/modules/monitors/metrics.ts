import { asc, eq } from "drizzle-orm";
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
import { monitorStates, monitors } from "../../db/schema";
import { SECOND } from "../../shared/limits";
import { maskUrl } from "../../shared/mask";
import { presentPhases } from "../../shared/monitor";
import { readTags } from "../tags/service";
import { readUptime } from "./history/uptime";
import { kindOf } from "./kinds/registry";
import { countMonitors, readPacketLosses } from "./list";
import { shownStatus } from "./present";

const readMonitors = async (deps: Deps, viewer: Viewer) => {
  const rows = await deps.db
    .select({
      id: monitors.id,
      name: monitors.name,
      kind: monitors.kind,
      target: monitors.target,
      interval: monitors.interval,
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
  const ids = rows.map(({ id }) => id);
  const [uptimes, tags] = [await readUptime(deps, ids), await readTags(deps, "monitor", ids)];
  const losses = await readPacketLosses(deps, rows);
  return rows.map((row) => {
    const { counts, last } = deps.meters.monitors.of(row.id) ?? {};
    return {
      ...row,
      uptime: uptimes.get(row.id) ?? null,
      packetLoss: losses.get(row.id) ?? null,
      tags: tags.get(row.id) ?? [],
      counts: counts ?? { up: 0, slow: 0, down: 0 },
      // Another instance may have made a later check.
      last: last?.checkedAt === row.lastCheckedAt ? last : undefined,
    };
  });
};

type MonitorRow = Awaited<ReturnType<typeof readMonitors>>[number];

const FIGURES: Figure<MonitorRow>[] = [
  {
    name: "wakeful_monitor_active",
    help: "Whether the monitor is active (1) or paused (0).",
    of: ({ active }) => Number(active),
  },
  {
    name: "wakeful_monitor_up",
    help: "Whether the last check found the monitor up (1) or down (0); absent while it is paused or not checked yet.",
    of: ({ active, status }) => (active && status !== "pending" ? Number(status === "up") : null),
  },
  {
    name: "wakeful_monitor_degraded",
    help: "Whether the monitor is up, but responds slowly (1) or not (0); absent while it is paused or not checked yet.",
    of: ({ active, ...state }) =>
      active && state.status !== "pending" ? Number(shownStatus(active, state) === "degraded") : null,
  },
  {
    name: "wakeful_monitor_checks_total",
    type: "counter",
    help: "Results of the monitor that this process stored, by outcome: up, slow or down. It starts at 0 with the process.",
    of: ({ counts }) => Object.entries(counts).map(([outcome, count]) => [labelOf("outcome", outcome), count]),
  },
  {
    name: "wakeful_monitor_interval_seconds",
    help: "Interval between checks; absent for a heartbeat, which has no checks.",
    of: ({ kind, interval }) => (kindOf(kind)?.passive ? null : interval),
  },
  {
    name: "wakeful_monitor_response_seconds",
    help: "Response time of the last check; for a heartbeat, the duration of the last run.",
    of: ({ responseTime }) => seconds(responseTime),
  },
  {
    name: "wakeful_monitor_phase_seconds",
    help: "Time of each phase of the last check, for kinds that measure it and once this process has made it.",
    of: ({ last }) =>
      Object.entries(presentPhases(last?.phases) ?? {}).map(([phase, time]) => [
        labelOf("phase", phase),
        time / SECOND,
      ]),
  },
  {
    name: "wakeful_monitor_status_code",
    help: "HTTP status of the last check, once this process has made it; absent without an answer.",
    of: ({ last }) => last?.statusCode,
  },
  {
    name: "wakeful_monitor_packet_loss_ratio",
    help: "Share of the packets that were lost in the last 40 checks of a ping monitor.",
    of: ({ packetLoss }) => (packetLoss === null ? null : Math.round(packetLoss * 10) / 1000),
  },
  {
    name: "wakeful_monitor_uptime_ratio",
    help: "Share of the watched time of the last 30 days during which the monitor was up.",
    of: ({ uptime }) => (uptime === null ? null : uptime / 100),
  },
  {
    name: "wakeful_monitor_last_check_timestamp_seconds",
    help: "Time of the last check since the Unix epoch.",
    of: ({ lastCheckedAt }) => seconds(lastCheckedAt),
  },
  {
    name: "wakeful_monitor_certificate_expiry_timestamp_seconds",
    help: "Time at which the certificate that the last check saw expires, since the Unix epoch.",
    of: ({ kind, certExpiresAt }) => (kindOf(kind)?.expires ? null : seconds(certExpiresAt)),
  },
  {
    name: "wakeful_monitor_domain_expiry_timestamp_seconds",
    help: "Time at which the registration of the domain expires, since the Unix epoch.",
    of: ({ kind, certExpiresAt }) => (kindOf(kind)?.expires === "domain" ? seconds(certExpiresAt) : null),
  },
];

/** Metrics of the monitors visible to a viewer, without headers and bodies. URLs are masked as for a read-only key. */
export const monitorFamilies: ReadFamilies = async (deps, viewer) => {
  const rows = await readMonitors(deps, viewer);
  const { all: _, unknown: __, degraded, ...counts } = await countMonitors(deps, viewer);
  return [
    family("wakeful_monitors", "gauge", "Number of monitors by status.", { label: "status", by: counts }),
    family(
      "wakeful_monitors_degraded",
      "gauge",
      "Number of monitors that are up, but respond slowly; `up` includes them.",
      degraded,
    ),
    {
      name: "wakeful_monitor_info",
      type: "gauge",
      help: "Kind, target and tags of the monitor, to join with other metrics by id; always 1.",
      lines: rows.map(({ id, name, kind, target, tags }) => ({
        labels: labelsOf({ id, name, kind, target: maskUrl(target), ...tagLabels(tags) }),
        value: 1,
      })),
    },
    ...figuresOf(rows, FIGURES),
  ];
};
