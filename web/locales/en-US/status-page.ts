import type { Words } from "../zh-CN";
import type { statusPage as zhCN } from "../zh-CN/status-page";

export const statusPage: Words<typeof zhCN> = {
  title: "Service status",
  operational: "All systems operational",
  partial: "Some systems have issues",
  outage: "Major outage",
  nothing: "Nothing has been published here yet",
  missing: "There is no status page here",
  missingText: "Check the address, or ask the person who gave it to you.",
  services: "Services",
  servers: "Servers",
  serverStatus: { active: "Online", inactive: "Offline", connecting: "Connecting" },
  response: "Response time",
  checked: "Last check",
  never: "Not checked yet",
  uptime: "Uptime",
  span: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  daysAgo: "90 days ago",
  today: "Today",
  recent: "Last 24 checks",
  days: {
    label: "{{name}}: the past 90 days",
    none: "Past 90 days: no data",
    good: "Past 90 days: {{share}} up, without a failed check",
    bad_one: "Past 90 days: {{share}} up, with failed checks on {{count}} day",
    bad_other: "Past 90 days: {{share}} up, with failed checks on {{count}} days",
  },
  day: {
    none: "{{date}} · No data",
    good: "{{date}} · {{share}}",
    bad_one: "{{date}} · {{share}} · {{count}} failed check",
    bad_other: "{{date}} · {{share}} · {{count}} failed checks",
  },
  resource: { cpu: "CPU", memory: "Memory", disk: "Disk", network: "Network" },
  rates: "↓ {{received}}  ↑ {{sent}}",
  facts: { os: "OS", version: "System version", hostname: "Hostname" },
};
