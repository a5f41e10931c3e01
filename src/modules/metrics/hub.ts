import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import { type Family, family, histogramFamily, labelsOf } from "../../core/prometheus";
import { descriptorLimit, openDescriptors } from "../../lib/descriptors";
import { SECOND } from "../../shared/limits";
import { CONDITIONS } from "../../shared/monitor";
import { HUB_GAP_REASONS } from "../../shared/outages/unknown";

/** Metrics of the process, under the names of Prometheus' client libraries. */
const processFamilies = async ({ clock }: Deps): Promise<Family[]> => {
  const [open, limit] = [await openDescriptors(), descriptorLimit()];
  const { user, system } = process.cpuUsage();
  const startedAt = Math.round(clock.now() / SECOND - process.uptime());
  return [
    family("process_start_time_seconds", "gauge", "Start time of the process since the Unix epoch.", startedAt),
    family("process_cpu_seconds_total", "counter", "CPU time used by the process.", (user + system) / 1e6),
    family("process_resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()),
    ...(open === null ? [] : [family("process_open_fds", "gauge", "Open files and connections of the process.", open)]),
    ...(limit === null
      ? []
      : [family("process_max_fds", "gauge", "Maximum open files and connections of the process.", limit)]),
  ];
};

/** Metrics of checks, reports and the database of the hub, and of its process. */
export const hubFamilies = async (deps: Deps): Promise<Family[]> => {
  const { db, meters, instance, outbound, watching } = deps;
  const active = new Set(outbound.conditions().map(({ code }) => code));
  const conditions = Object.fromEntries(CONDITIONS.map((code) => [code, active.has(code) ? 1 : 0]));
  // Prometheus sets a label `instance` itself.
  const info = labelsOf({ version, hub: instance, database: db.engine });
  const unknown = watching.unknown();
  const delay = meters.eventLoopDelay();
  return [
    {
      name: "wakeful_build_info",
      type: "gauge",
      help: "Version of the hub, its id among those on one database, and its database engine; always 1.",
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
    family(
      "wakeful_unknown",
      "gauge",
      "Whether nothing can be known of any target now (1), for this reason, or not (0).",
      {
        label: "reason",
        by: Object.fromEntries(HUB_GAP_REASONS.map((reason) => [reason, unknown?.reason === reason ? 1 : 0])),
      },
    ),
    family("wakeful_pings_total", "counter", "Pings of heartbeats stored by this process.", {
      label: "kind",
      by: { ...meters.pings },
    }),
    family("wakeful_reports_total", "counter", "Agent reports stored by this process.", meters.reports),
    family("wakeful_samples_total", "counter", "Samples in the stored agent reports.", meters.samples),
    family("wakeful_samples_waiting", "gauge", "Samples that are not stored yet.", meters.samplesWaiting()),
    family("wakeful_database_size_bytes", "gauge", "Size of the database.", await db.size()),
    family(
      "wakeful_event_loop_delay_p50_seconds",
      "gauge",
      "Median delay of the event loop during the last full minute.",
      delay.p50,
    ),
    family(
      "wakeful_event_loop_delay_p99_seconds",
      "gauge",
      "99th percentile of the delay of the event loop during the last full minute.",
      delay.p99,
    ),
    family(
      "wakeful_event_loop_delay_max_seconds",
      "gauge",
      "Longest delay of the event loop during the last full minute.",
      delay.max,
    ),
    ...(await processFamilies(deps)),
  ];
};
