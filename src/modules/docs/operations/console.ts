import { CONDITIONS } from "../../../shared/conditions";
import type { Part } from "../operation";
import { list, nullable, object, oneOf, ref, success, text, whole } from "../schema";

const health = object({
  status: oneOf("How it is.", ["ok", "unavailable"]),
  instance: text("Which of the processes on one database this is.", "5f0c2f1e"),
});
const count = (words: readonly string[], example: readonly number[]) =>
  object(Object.fromEntries(words.map((word, index) => [word, whole(`How many: ${word}.`, example[index])])));

export const consoleCalls: Part = {
  tag: "Console",
  description: "The console itself: how it is, what it offers, and this document.",
  schemas: {},
  operations: {
    "GET /api/dashboard": {
      id: "getDashboard",
      summary: "Everything at a glance",
      access: "user",
      answer: {
        description:
          "Counts, and three monitors and three servers: first what is down or offline, then what waits for its first result.",
        schema: success({
          monitors: count(["up", "down", "pending", "paused", "total"], [10, 1, 0, 1, 12]),
          agents: count(["active", "inactive", "connecting", "total"], [3, 1, 0, 4]),
          connectivity: nullable(
            oneOf("Whether the console itself reaches CONNECTIVITY_TARGET; null when that is not set.", ["ok", "lost"]),
          ),
          version: text("The version of the program.", "1.2.3"),
          conditions: list(
            object({
              code: oneOf(
                "What the console itself lacks: working name servers, file descriptors, local ports or memory.",
                [...CONDITIONS],
              ),
              since: text("Since when.", "2026-01-15T12:20:00.000Z"),
            }),
          ),
          latest_monitors: list(ref("ListedMonitor")),
          latest_agents: list(ref("Agent")),
        }),
      },
    },
    "GET /health": {
      id: "getHealth",
      summary: "Whether the console is well",
      access: "anybody",
      answer: [
        { description: "It can write its database, and does trivial work within a second.", schema: health },
        {
          status: 503,
          description: "It can't.",
          schema: health,
          example: { status: "unavailable", instance: "5f0c2f1e" },
        },
      ],
    },
    "GET /metrics": {
      id: "getPrometheusMetrics",
      summary: "Figures for Prometheus",
      description:
        "With METRICS_TOKEN, or as an administrator, everything; as another user one's own monitors and servers. Of more than 5,000 monitors or servers only the first have lines of their own.",
      access: "operator",
      answer: {
        type: "text/plain",
        example:
          '# HELP wakeful_monitor_up …\n# TYPE wakeful_monitor_up gauge\nwakeful_monitor_up{id="3",name="Payments API"} 1\n',
        description: "Prometheus' text format, version 0.0.4.",
      },
    },
    "GET /install.sh": {
      id: "getInstallScript",
      summary: "The script that installs the agent",
      access: "anybody",
      answer: {
        type: "text/x-shellscript",
        example: "#!/bin/sh …",
        description: "A POSIX shell script that names this console.",
      },
    },
    "GET /downloads/{name}": {
      id: "download",
      summary: "The agent's program",
      access: "anybody",
      fields: {
        name: "wakeful-{linux,darwin}-{amd64,arm64} or wakeful-windows-{amd64,arm64}.exe; with `.sha256` its checksum.",
      },
      parameters: { name: "wakeful-linux-amd64.sha256" },
      answer: [
        {
          type: ["text/plain", "application/octet-stream"],
          example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  wakeful-linux-amd64\n",
          description: "The program, or its SHA-256 as text.",
        },
        { status: 302, description: "It is found at RELEASE_URL." },
      ],
      refusals: ["not_found", "no_download"],
    },
    "GET /api/openapi.json": {
      id: "getOpenApi",
      summary: "This document",
      access: "anybody",
      answer: {
        type: "application/json",
        schema: { type: "object", description: "OpenAPI 3.1.", examples: [{ openapi: "3.1.0" }] },
        description: "What you are reading.",
      },
    },
  },
};
