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
    "The console itself is offline, so checks are paused. They resume by themselves, and nothing is reported down meanwhile.",
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
