import { METHODS } from "../../../shared/limits";
import type { Part } from "../operation";
import { list, nullable, ref, success, whole } from "../schema";
import { monitorCounts, monitorSchemas } from "./monitor-schemas";

const written = {
  name: "1 to 200 characters.",
  url: "An http:// or https:// address of at most 2,048 characters.",
  method: `One of ${METHODS.join(", ")}; GET unless said.`,
  interval: "Seconds from one check to the next: 60 to 86,400.",
  timeout: "Seconds that an answer may take: 1 to 300, and not above the interval; 30 unless said.",
  expectedStatus: "The status that counts as up: 100 to 599, or 1 to 5 for a whole class; 200 unless said.",
  expected_status: "The same as expectedStatus.",
  headers: "An object of names and values, or its JSON text; at most 50 headers, of at most 16 KiB together.",
  body: "At most 64 KiB; sent only with POST, PUT and PATCH.",
  retries: "0 to 5; 1 unless said.",
  active: "Whether it is checked; true unless said.",
};
// Its schema lets everything through, so that each bad header gets a sentence of its own.
const writtenTypes = {
  headers: {
    anyOf: [{ type: "object", additionalProperties: { type: "string" } }, { type: "string" }, { type: "null" }],
  },
};
const example = {
  name: "Payments API",
  url: "https://api.example.com/health",
  method: "GET",
  interval: 60,
  timeout: 30,
  expectedStatus: 200,
  headers: { Accept: "application/json" },
};

export const monitors: Part = {
  tag: "Monitors",
  description: "Web addresses that are checked, and what was found.",
  schemas: monitorSchemas,
  operations: {
    "GET /api/monitors": {
      id: "listMonitors",
      summary: "List monitors",
      description:
        "The caller's own, in the order in which they were created; an administrator sees everybody's. Headers and bodies are left out unless `fields` is `all`. `total` says how many match, on this page or not.",
      access: "user",
      fields: {
        mine: "1: leave out what an administrator sees of others.",
        search: "A part of the name or of the address.",
        status: "Only those that stand so; `active` is all but the paused ones.",
        fields: "`all`: with headers and bodies, and at most 50 monitors in one answer.",
        limit: "The most to answer: 1,000 unless given.",
        offset: "Leave out so many of the first.",
        history: "How many past outcomes each one has: 0 to 40, 24 unless said.",
      },
      parameters: { status: "down", limit: 20 },
      answer: {
        description: "A page of monitors.",
        schema: success({
          total: whole("How many match, on all pages together.", 1),
          counts: monitorCounts,
          monitors: list(ref("ListedMonitor")),
        }),
      },
    },
    "POST /api/monitors": {
      id: "createMonitor",
      summary: "Make a monitor",
      description: "It is checked for the first time within two seconds.",
      access: "user",
      fields: written,
      types: writtenTypes,
      body: example,
      answer: { status: 201, description: "The monitor is made.", schema: success({ monitor: ref("Monitor") }) },
      refusals: ["quota_reached"],
    },
    "GET /api/monitors/{id}": {
      id: "getMonitor",
      summary: "Read a monitor",
      access: "user",
      fields: { id: "The monitor's id.", history: "How many past outcomes: 0 to 40, 40 unless said." },
      answer: { description: "The monitor with its last checks.", schema: success({ monitor: ref("MonitorDetail") }) },
    },
    "PUT /api/monitors/{id}": {
      id: "updateMonitor",
      summary: "Change a monitor",
      description:
        "What is left out stays as it was, but for name, URL and interval, which have to be sent. A change of what is asked for has it checked within two seconds.",
      access: "user",
      fields: { id: "The monitor's id.", ...written },
      types: writtenTypes,
      body: example,
      answer: { description: "The monitor is changed.", schema: success({ monitor: ref("Monitor") }) },
    },
    "DELETE /api/monitors/{id}": {
      id: "deleteMonitor",
      summary: "Delete a monitor",
      description: "Everything that was recorded of it goes with it.",
      access: "user",
      fields: { id: "The monitor's id." },
      answer: { description: "The monitor is gone.", schema: success() },
    },
    "POST /api/monitors/{id}/pause": {
      id: "pauseMonitor",
      summary: "Pause a monitor",
      access: "user",
      fields: { id: "The monitor's id." },
      answer: { description: "It is not checked any more.", schema: success({ monitor: ref("Monitor") }) },
    },
    "POST /api/monitors/{id}/resume": {
      id: "resumeMonitor",
      summary: "Resume a monitor",
      access: "user",
      fields: { id: "The monitor's id." },
      answer: {
        description: "It is checked again, the first time within two seconds.",
        schema: success({ monitor: ref("Monitor") }),
      },
    },
    "POST /api/monitors/{id}/check": {
      id: "checkMonitor",
      summary: "Check a monitor now",
      description:
        "Answers once the check has ended and is recorded: that may take as long as the monitor's timeout, and its retries. A check that is under way is joined. Another one of the same monitor can start 10 seconds after the last manual one, and for administrators after one second.",
      access: "user",
      fields: { id: "The monitor's id." },
      answer: {
        description: "What was found; 200 also when it is down.",
        schema: success({ check: ref("Check"), monitor: ref("Monitor") }),
      },
      refusals: ["check_in_progress", "monitor_paused", "rate_limited", "hub_unavailable"],
    },
    "GET /api/monitors/{id}/checks": {
      id: "listChecks",
      summary: "Read a monitor's log",
      access: "user",
      fields: {
        id: "The monitor's id.",
        status: "Only checks that found this.",
        before: "Only checks older than the one with this id: `next` of the page before.",
        limit: "At most so many: 1 to 500, 50 unless said.",
      },
      parameters: { status: "down", limit: 20 },
      answer: {
        description: "A page of checks, newest first.",
        schema: success({
          checks: list(ref("Check")),
          next: nullable(whole("What to send as `before` for the next page; null on the last one.", 1_768_479_600_000)),
        }),
      },
    },
    "GET /api/monitors/{id}/series": {
      id: "getSeries",
      summary: "Read a monitor's response times over a range",
      access: "user",
      fields: { id: "The monitor's id.", range: "How far to look back; 24h unless said." },
      parameters: { range: "7d" },
      answer: {
        description:
          "At most 400 points, oldest first. Spans without a check have none. In 24 hours a point is five minutes, or one minute while every check is younger than six hours.",
        schema: success({ points: list(ref("SeriesPoint")) }),
      },
    },
  },
};
