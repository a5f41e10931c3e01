import type { Words } from "../../zh-CN";
import type { incidents as zhCN } from "../../zh-CN/incidents/published";

export const incidents: Words<typeof zhCN> = {
  open: "Open incidents",
  past: "Past incidents",
  status: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
  },
  impact: { none: "No impact", minor: "Minor impact", major: "Major impact", critical: "Critical impact" },
  component: {
    operational: "Operational",
    under_maintenance: "Under maintenance",
    degraded_performance: "Degraded performance",
    partial_outage: "Partial outage",
    major_outage: "Major outage",
  },
  measuredState: "measured: {{state}}",
  affects: "Affected",
  affected: "Affected: {{names}}",
  since: "since {{time}}",
  from: "{{start}} – {{end}}",
  edited: "edited",
  earlier: "Earlier updates ({{count}})",
  all: "See all updates",
  back: "Back to the status page",
  paused: "Measurements have been paused since {{time}}. The state is that of the incidents below.",
  history: {
    title: "History",
    months: "Months",
    days: "Days",
    zone: "Times are in {{zone}}.",
    none: "There were no incidents, outages or maintenance.",
    incident: "Incident",
    outage: "Outage",
    maintenance: "Maintenance",
    whole: "See the whole month",
  },
};
