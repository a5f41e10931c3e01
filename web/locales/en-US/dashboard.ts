import type { Translation } from "../zh-CN";

export const dashboard: Translation["dashboard"] = {
  title: "Dashboard",
  allUp: "Everything is up",
  someDown_one: "{{count}} monitor is down",
  someDown_other: "{{count}} monitors are down",
  someOffline_one: "{{count}} server is offline",
  someOffline_other: "{{count}} servers are offline",
  and: ", ",
  nothing: "Nothing is being monitored yet",
  waiting: "Waiting for the first results",
  allPaused: "All monitors are paused",
  offline:
    "The console itself is offline, so checks are paused. They resume by themselves, and nothing is reported down until then.",
  condition: {
    resolver:
      "The name servers of Wakeful’s own machine don’t answer. Checks of host names are skipped until they do, and nothing is reported down because of it.",
    descriptors:
      "Wakeful has reached the system’s limit of open files and connections. Affected checks are skipped, and nothing is reported down because of it. Raise the limit (ulimit -n).",
    ports:
      "Wakeful’s machine has no free local ports left. Affected checks are skipped until there are some, and nothing is reported down because of it.",
    memory:
      "Wakeful’s machine is too low on memory to open connections. Affected checks are skipped, and nothing is reported down because of it.",
  },
  failed: "Failed to load the dashboard",
  monitors: {
    title: "API monitors",
    up: "Up",
    down: "Down",
    total: "Total",
    also: "Plus {{pending}} pending and {{paused}} paused",
    all: "All monitors",
  },
  agents: {
    title: "Servers",
    up: "Online",
    down: "Offline",
    total: "Total",
    also: "Plus {{connecting}} connecting",
    all: "All servers",
    empty: "No servers yet",
    emptyText: "Run one command on a machine to see its CPU, memory, disk and network here.",
    add: "Add a server",
  },
  welcome: {
    title: "Start with your first monitor",
    text: "A URL is all it takes, everything else has a sensible default. The first result arrives within two seconds.",
    addMonitor: "Add a monitor",
    addServer: "Add a server",
  },
};
