import type { CauseTexts, JobTexts, KindTexts, OutageWords, PhaseTexts } from "../../outages/words";

/** The name of a figure, and the lines about it: with a part of the server, or with the programs that use the most. */
const figure = (metric: string, part?: string): Pick<OutageWords, "metric" | "lines"> => {
  const line = `${part ? `${metric} ${part}` : metric}: {{figure}} (threshold {{threshold}})`;
  return { metric, lines: [part ? [line] : [line, "Most used by: {{processes}}"], [line]] };
};
const STATE: OutageWords["lines"] = [["State: {{state}}"], []];

/** The words of each kind of outage and its events. */
export const outageKinds: KindTexts = {
  down: {
    label: "Down",
    status: ["Down", "Recovered"],
    title: ["{{name}} is down", "{{name}} is up again"],
    still: "Still down: {{name}}",
    timeline: ["Went down", "It is up again"],
    stays: { state: "down", after: "up", title: "{{name}} is down, and stays down" },
  },
  slow: {
    label: "Slow",
    status: ["Slow", "Responds normally again"],
    title: ["{{name}} responds slowly", "{{name}} responds normally again"],
    still: "Still slow: {{name}}",
    timeline: ["It became slow", "It responds normally again"],
  },
  certificate: {
    label: "Certificate expires soon",
    status: ["Certificate expires soon", "Certificate renewed"],
    title: ["{{name}}: the certificate expires soon", "{{name}}: the certificate was renewed"],
    still: "Certificate still expires soon: {{name}}",
    timeline: ["The certificate was about to expire", "The certificate was renewed"],
  },
  domain: {
    label: "Domain expires soon",
    status: ["Domain expires soon", "Domain renewed"],
    title: ["{{name}}: the domain expires soon", "{{name}}: the domain was renewed"],
    still: "Domain still expires soon: {{name}}",
    timeline: ["The domain was about to expire", "The domain was renewed"],
  },
  budget_burning: {
    label: "Uptime objective at risk",
    status: ["Uptime objective at risk", "Downtime has stopped growing"],
    title: ["{{name}}: the uptime objective is at risk", "{{name}}: downtime has stopped growing"],
    still: "Uptime objective still at risk: {{name}}",
    timeline: ["Downtime grew too fast for the objective", "Downtime stopped growing"],
  },
  budget_spent: {
    label: "Uptime objective missed",
    status: ["Uptime objective missed", "Uptime objective met again"],
    title: ["{{name}} has missed its uptime objective", "{{name}} meets its uptime objective again"],
    still: "Uptime objective still missed: {{name}}",
    timeline: ["The uptime objective was missed", "The uptime objective is met again"],
  },
  unwatched: {
    label: "Nothing watched",
    status: ["Nothing was watched", "Watching again"],
    title: ["Wakeful could watch nothing for {{duration}}", "Wakeful watches again"],
    lines: [["From: {{since}}", "Not watched: {{state}}"], []],
    still: "Wakeful still watches nothing",
    timeline: ["Wakeful could watch nothing", "Wakeful watches again"],
  },
  backup: {
    label: "Backup failed",
    status: ["Backup failed", "Backups work again"],
    title: ["{{name}}: the nightly backup failed", "{{name}}: backups work again"],
    still: "{{name}}: the nightly backup still fails",
    timeline: ["The backup failed", "Backups work again"],
  },
  offline: {
    label: "Offline",
    status: ["Offline", "Back online"],
    title: ["No report from server {{name}} for {{duration}}", "Server {{name}} reports again"],
    lines: [
      ["Last report: {{last_report}}", "Its clock is {{clock_offset}}"],
      ["Restarted at {{restarted_at}}", "Its clock is {{clock_offset}}"],
    ],
    still: "Still offline: {{name}}",
    timeline: ["It stopped reporting", "It reports again"],
    stays: { state: "offline", after: "reporting", title: "Server {{name}} is offline, and stays offline" },
  },
  cpu: {
    label: "High CPU usage",
    status: ["CPU usage is high", "CPU is back to normal"],
    title: ["{{name}}: CPU usage is high", "{{name}}: CPU is back to normal"],
    ...figure("CPU"),
    still: "CPU usage is still high: {{name}}",
    timeline: ["CPU usage became high", "CPU is back to normal"],
  },
  memory: {
    label: "High memory usage",
    status: ["Memory usage is high", "Memory is back to normal"],
    title: ["{{name}}: memory usage is high", "{{name}}: memory is back to normal"],
    ...figure("Memory"),
    still: "Memory usage is still high: {{name}}",
    timeline: ["Memory usage became high", "Memory is back to normal"],
  },
  swap: {
    label: "High swap usage",
    status: ["Swap usage is high", "Swap is back to normal"],
    title: ["{{name}}: swap usage is high", "{{name}}: swap is back to normal"],
    ...figure("Swap"),
    still: "Swap usage is still high: {{name}}",
    timeline: ["Swap usage became high", "Swap is back to normal"],
  },
  disk: {
    label: "High disk usage",
    status: ["Disk usage is high", "Disk is back to normal"],
    title: ["{{name}}: disk usage is high", "{{name}}: disk is back to normal"],
    ...figure("Disk", "{{mount}}"),
    still: "Disk usage is still high: {{name}}",
    timeline: ["Disk usage became high", "The disk is back to normal"],
  },
  load: {
    label: "High load",
    status: ["Load is high", "Load is back to normal"],
    title: ["{{name}}: load is high", "{{name}}: load is back to normal"],
    ...figure("Load per core"),
    still: "Load is still high: {{name}}",
    timeline: ["The load became high", "The load is back to normal"],
  },
  temperature: {
    label: "High temperature",
    status: ["Temperature is high", "Temperature is back to normal"],
    title: ["{{name}}: temperature is high", "{{name}}: temperature is back to normal"],
    ...figure("Temperature", "{{subject}}"),
    still: "Temperature is still high: {{name}}",
    timeline: ["The temperature became high", "The temperature is back to normal"],
  },
  container: {
    label: "Container not working",
    status: ["A container is not working", "The container works again"],
    title: ["{{name}}: container {{subject}} is not working", "{{name}}: container {{subject}} works again"],
    lines: STATE,
    still: "Container {{subject}} still does not work: {{name}}",
    timeline: ["The container stopped working", "The container works again"],
    reason: ["Container {{subject}}: {{state}}"],
    part: "Container {{subject}}",
  },
  service: {
    label: "Service failed",
    status: ["A service failed", "The service has recovered"],
    title: ["{{name}}: service {{subject}} failed", "{{name}}: service {{subject}} has recovered"],
    still: "Service {{subject}} is still failed: {{name}}",
    timeline: ["The service failed", "The service has recovered"],
    reason: ["Service {{subject}} failed"],
  },
  array: {
    label: "Disk array degraded",
    status: ["A disk array is degraded", "The disk array is complete again"],
    title: ["{{name}}: disk array {{subject}} is degraded", "{{name}}: disk array {{subject}} is complete again"],
    lines: STATE,
    still: "Disk array {{subject}} is still degraded: {{name}}",
    timeline: ["The disk array became degraded", "The disk array is complete again"],
    reason: ["Disk array {{subject}}: {{state}}"],
    part: "Disk array {{subject}}",
  },
  shared_key: {
    label: "Two machines with one key",
    status: ["Two machines report with one key", "One machine reports with the key again"],
    title: ["{{name}}: two machines report with its key", "{{name}}: one machine reports with its key again"],
    lines: [["Two machines report with this key: {{subject}}. Add the second one as a server of its own."], []],
    still: "Two machines still report with one key: {{name}}",
    timeline: ["A second machine reported with the key", "One machine reports with the key again"],
  },
  filling: {
    label: "Disk filling up",
    status: ["A disk is filling up", "The disk is no longer filling up"],
    title: ["{{name}}: disk {{subject}} is filling up", "{{name}}: disk {{subject}} is no longer filling up"],
    lines: [["Used: {{figure}}", "Full on {{exhausted_at}} at this rate"], ["Used: {{figure}}"]],
    still: "Disk {{subject}} still fills up: {{name}}",
    timeline: ["The disk began to fill up", "The disk is no longer filling up"],
    reason: ["Disk {{subject}} is {{figure}} full", "full on {{exhausted_at}} at this rate"],
    part: "Disk {{subject}}",
  },
  traffic: {
    label: "Traffic quota",
    status: ["Traffic quota running low", "Traffic is within its quota again"],
    title: ["{{name}}: traffic quota is running low", "{{name}}: traffic is within its quota again"],
    lines: [["Used: {{figure}}", "Runs out {{exhausted_at}} at this rate"], ["Used: {{figure}}"]],
    still: "Traffic quota is still low: {{name}}",
    timeline: ["Traffic quota was running low", "Traffic is within its quota again"],
    reason: ["{{figure}} of the traffic quota used", "runs out {{exhausted_at}} at this rate"],
  },
  contract: {
    label: "Contract ends soon",
    status: ["The contract ends soon", "The contract was renewed"],
    title: ["{{name}}: the contract ends soon", "{{name}}: the contract was renewed"],
    lines: [["It ends on {{ends_on}} ({{figure}} left)"], []],
    still: "The contract still ends soon: {{name}}",
    timeline: ["The contract was about to end", "The contract was renewed"],
    reason: ["The contract ends on {{ends_on}}"],
  },
};

/** Jobs that report to heartbeats. */
export const jobs: JobTexts = {
  heartbeat_missed: {
    title: "{{name}} did not report: expected by {{expected}}",
    still: "Still no report: {{name}}",
    stays: { state: "silent", after: "reporting", title: "{{name}} does not report, and stays silent" },
  },
  heartbeat_running: {
    title: "{{name}} did not finish: expected by {{expected}}",
    still: "Still not finished: {{name}}",
    stays: { state: "running", after: "reporting", title: "{{name}} does not finish" },
  },
  heartbeat_failed: {
    title: "{{name}} failed",
    still: "Still failing: {{name}}",
    stays: { state: "failing", after: "reporting", title: "{{name}} keeps failing" },
  },
  recovered: "{{name}} reports again",
  expected: "Expected by {{time}}",
};

/** The sentences that kinds of events share. */
export const eventPhases: PhaseTexts = {
  down: { time: "Down since {{time}}", count: "{{count}} down" },
  offline: { time: "Offline since {{time}}", count: "{{count}} offline" },
  high: { time: "Since {{time}}", count: "{{count}} over a threshold" },
  failed: {
    ...{ time: "Since {{time}}", count: "{{count}} with a failed part" },
    parts: "{{name}}: {{count}} parts are not working",
  },
  slow: { time: "Since {{time}}", count: "{{count}} slow" },
  filling: { time: "Detected: {{time}}", count: "{{count}} with a disk that fills up" },
  traffic: { time: "Detected: {{time}}", count: "{{count}} close to the traffic quota" },
  burning: { time: "Detected: {{time}}", count: "{{count}} with an uptime objective at risk" },
  spent: { time: "Detected: {{time}}", count: "{{count}} with a missed uptime objective" },
  expiring: { time: "Detected: {{time}}", count: "{{count}} with a certificate or domain that expires soon" },
  ending: { time: "Detected: {{time}}", count: "{{count}} with a contract that ends soon" },
  backup: { time: "Failed at {{time}}", count: "{{count}} failed backups" },
  unwatched: { time: "Watching again since {{time}}", count: "{{count}} times nothing was watched" },
  recovery: { time: "Up again at {{time}}", lasted: "It was down for {{duration}}.", count: "{{count}} up again" },
  online: { time: "Back at {{time}}", lasted: "It was offline for {{duration}}.", count: "{{count}} reporting again" },
  normal: {
    ...{ time: "Back to normal at {{time}}", lasted: "It lasted {{duration}}.", count: "{{count}} back to normal" },
    parts: "{{name}}: {{count}} parts work again",
  },
  renewed: { time: "Renewal noticed at {{time}}", count: "{{count}} with a renewed certificate or domain" },
  extended: { time: "Renewal noticed at {{time}}", count: "{{count}} with a renewed contract" },
};

/** Probable causes of outages. */
export const causes: CauseTexts = {
  agent_silent: "Server {{server}} has not reported since {{time}}, so it is probably down",
  agent_rebooted: "Server {{server}} was restarted at {{time}}: probably the cause",
  agent_disk_full: "Disk {{mount}} of server {{server}} is {{figure}} full: probably the cause",
  disk: "The disk of server {{server}} is {{figure}} full: probably the cause",
  on: "Probably one cause: {{number}} monitors on {{value}} are down",
  on_of: "Probably one cause: {{number}} of {{total}} monitors on {{value}} are down",
  on_all: "Probably one cause: all {{total}} monitors on {{value}} are down",
  under: "Probably one cause: {{number}} monitors under {{value}} are down",
  under_of: "Probably one cause: {{number}} of {{total}} monitors under {{value}} are down",
  under_all: "Probably one cause: all {{total}} monitors under {{value}} are down",
};
