import { isNotNull, isNull } from "drizzle-orm";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import { deliveries, events } from "../../db/schema";
import { SECOND } from "../../shared/limits";
import { CONDITIONS } from "../../shared/monitor";
import { type Family, family, histogramFamily, labelsOf } from "./text";

/** Metrics of the process, under the names of Prometheus' client libraries. */
const processFamilies = ({ clock }: Deps): Family[] => {
  const { user, system } = process.cpuUsage();
  const startedAt = clock.now() / SECOND - process.uptime();
  return [
    family("process_start_time_seconds", "gauge", "When this process began.", Math.round(startedAt)),
    family("process_cpu_seconds_total", "counter", "CPU time that this process has used.", (user + system) / 1e6),
    family("process_resident_memory_bytes", "gauge", "Memory that this process has.", process.memoryUsage.rss()),
  ];
};

/** Metrics of the hub: this process and its database. */
export const hubFamilies = async (deps: Deps): Promise<Family[]> => {
  const { db, meters, instance } = deps;
  const active = new Set(deps.outbound.conditions().map(({ code }) => code));
  const conditions = Object.fromEntries(CONDITIONS.map((code) => [code, active.has(code) ? 1 : 0]));
  const info = labelsOf({ version, instance, database: db.engine });
  return [
    { name: "wakeful_info", type: "gauge", help: "What runs here.", lines: [{ labels: info, value: 1 }] },
    family("wakeful_checks_total", "counter", "Checks that this process recorded.", { ...meters.checks }, "result"),
    histogramFamily(
      "wakeful_check_lateness_seconds",
      "How long after they were due scheduled checks began.",
      meters.lateness,
    ),
    family("wakeful_checks_in_flight", "gauge", "Checks under way in this process.", meters.checksInFlight()),
    family(
      "wakeful_checks_waiting",
      "gauge",
      "Due checks that wait for a limit: of their user, of one host, or of this process.",
      meters.checksWaiting(),
    ),
    family(
      "wakeful_condition",
      "gauge",
      "1 while a lack of the hub itself keeps checks from being made.",
      conditions,
      "condition",
    ),
    family("wakeful_reports_total", "counter", "Agents' reports that this process stored.", meters.reports),
    family("wakeful_samples_total", "counter", "Samples in these reports.", meters.samples),
    family("wakeful_samples_waiting", "gauge", "Samples that wait to be stored.", meters.samplesWaiting()),
    family(
      "wakeful_events_unplanned",
      "gauge",
      "Events of which it is not decided yet whom to tell.",
      await db.$count(events, isNull(events.plannedAt)),
    ),
    family(
      "wakeful_deliveries_pending",
      "gauge",
      "Alerts on their way.",
      await db.$count(deliveries, isNotNull(deliveries.nextAttemptAt)),
    ),
    family(
      "wakeful_deliveries_total",
      "counter",
      "Alerts that this process delivered, or gave up.",
      { ...meters.deliveries },
      "result",
    ),
    family("wakeful_database_size_bytes", "gauge", "How large the database is.", await db.size()),
    family(
      "wakeful_event_loop_delay_seconds",
      "gauge",
      "How long work waited for its turn, in the last whole minute.",
      { ...meters.eventLoopDelay },
      "quantile",
    ),
    ...processFamilies(deps),
  ];
};
