import type { Translation } from "../zh-CN";

export const problems: Translation["problems"] = {
  title: "Current problems",
  kind: { down: "Down", offline: "Offline", cpu: "High CPU", memory: "High memory", disk: "Disk nearly full" },
  since: "since {{time}}",
  for: "for",
  server: "Server",
  offline: "No reports",
  offlineAfter: "No reports (last: CPU {{cpu}}, memory {{memory}})",
  above: "{{name}} {{figure}}, threshold {{threshold}}",
  high: "{{name}} above its threshold",
  check: "Check now",
  pause: "Pause",
  actions: "Actions: {{name}}",
  checkedUp: "{{name}} is up again: {{time}}.",
  checkedDown: "{{name}} is still down: {{reason}}",
  paused: "{{name}} is paused.",
  more_one: "and {{count}} more problem",
  more_other: "and {{count}} more problems",
};
