import type { Translation } from "../zh-CN";

export const home: Translation["home"] = {
  title: "Be the first to know when something breaks",
  subtitle:
    "Wakeful is self-hosted uptime and server monitoring. See at a glance whether your APIs answer and your machines keep up, and get an alert the moment they don’t.",
  start: "Get started",
  learnMore: "Learn more",
  features: "Features",
  monitoring: {
    title: "APIs and servers",
    text: "Check websites, APIs, cron jobs, certificates and ports, and follow the CPU, memory, disk and network of your machines.",
  },
  dashboard: {
    title: "All on one screen",
    text: "What is up, what is down, how fast and how reliable, updated as it happens.",
  },
  alerts: {
    title: "Alerts you can trust",
    text: "One alert when it breaks and one when it recovers. A failing check is retried first, so one lost packet causes no alert.",
  },
  status: { title: "Public status page", text: "Choose what to show and publish your own status page in minutes." },
  facts: { data: "Your data stays with you", channels: "20+ alert channels", file: "One executable" },
  sample: {
    api: "Payments API",
    site: "Website",
    mail: "Mail server",
    search: "Search",
    verdict: "1 monitor down",
    live: "Live",
    reason: "Status 503, expected 200",
    lasting: "4 min",
    cpu: "CPU",
    memory: "Memory",
    disk: "Disk",
    alert: "Search is down",
    alertText: "Status 503 · since 14:05",
  },
};
