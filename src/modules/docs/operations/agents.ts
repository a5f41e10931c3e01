import type { Part } from "../operation";
import {
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  ref,
  type Schema,
  success,
  text,
  time,
  whole,
} from "../schema";

const GIGABYTE = 2 ** 30;
const bytes = (description: string, example: number) =>
  nullable(number(`${description}, in bytes; null when that is not known.`, example));
const percent = (description: string, example: number) =>
  nullable(number(`${description}, in percent; null when that is not known.`, example));
const rate = (description: string, example: number) =>
  nullable(number(`${description}, in KB/s of 1,024 bytes; null when that is not known.`, example));
export const agentStatus = oneOf(
  "`connecting` until the first report; `inactive` once three of its intervals, and 90 seconds, pass without one.",
  ["active", "inactive", "connecting"],
);
const usage = object({ total: number("Bytes.", 16 * GIGABYTE), used: number("Bytes.", 4 * GIGABYTE) });
const disk = object({
  mount: text("Where it is mounted.", "/"),
  total: number("Bytes.", 100 * GIGABYTE),
  used: number("Bytes.", 50 * GIGABYTE),
});

const DOWNLOADS = list(text("A file's name.", "wakeful-linux-amd64"), "The agent's programs at /downloads/, by name.");

const agent: Record<string, Schema> = {
  id: id("The agent's id.", 5),
  name: text("What it is called here.", "Database"),
  owner: text(
    "The username of whom it belongs to. Only administrators see it, and only where it is somebody else's.",
    "bob",
  ),
  hostname: text("The machine's own name.", "db-1"),
  ip_addresses: list(text("An address; the one that leads out comes first.", "192.0.2.10")),
  os: text("Its operating system.", "Debian GNU/Linux 12 (bookworm)"),
  version: text("The system's version.", "6.1.0"),
  status: agentStatus,
  cpu_usage: percent("CPU", 12.5),
  memory_total: bytes("Memory", 16 * GIGABYTE),
  memory_used: bytes("Memory in use", 4 * GIGABYTE),
  disk_total: bytes("Disks", 100 * GIGABYTE),
  disk_used: bytes("Disks in use", 50 * GIGABYTE),
  network_rx: rate("Received", 8),
  network_tx: rate("Sent", 2.5),
  load_average: nullable({
    type: "array",
    description: "Load over 1, 5 and 15 minutes.",
    items: number("", 0.4),
    examples: [[0.4, 0.3, 0.2]],
  }),
  boot_time: nullable(time("When the machine was started.", "2026-01-02T08:00:00Z")),
  interval: nullable(whole("Seconds between its reports; null before the first.", 60)),
  created_at: time("When it enrolled."),
  updated_at: nullable(time("When it last reported; null before the first report.")),
};

const identity = {
  hostname: "The machine's own name.",
  ip_addresses: "Its addresses, the one that leads out first; at most 16.",
  os: "Its operating system's name.",
  version: "The system's version.",
};
const machine = {
  hostname: "db-1",
  ip_addresses: ["192.0.2.10"],
  os: "Debian GNU/Linux 12 (bookworm)",
  version: "6.1.0",
};

export const agents: Part = {
  tag: "Servers",
  description: "Machines whose agents report, and what agents themselves call.",
  schemas: {
    Agent: object(agent, ["owner"]),
    AgentDetail: object(
      {
        ...agent,
        disks: nullable(list(disk, "Each mount; null when they were not told apart.")),
        swap: { anyOf: [usage, { type: "null" }] },
        agent_version: nullable(text("The version of the agent program; null when it did not say.", "1.4.2")),
        unreadable_disks: list(
          object({
            mount: text("Where it is mounted.", "/home/ann/data"),
            reason: text(
              "`permission`: the agent's user may not enter a folder above it; `timeout`: it does not answer; otherwise the system's code.",
              "permission",
            ),
          }),
          "Disks that the agent could not read when it reported last.",
        ),
      },
      ["owner"],
    ),
    MetricPoint: object({
      t: whole("The beginning of its span, in epoch milliseconds.", 1_768_479_600_000),
      cpu: percent("CPU on average", 12.5),
      cpu_max: percent("CPU at its highest", 80),
      memory: percent("Memory in use", 25),
      disk: percent("Disks in use", 50),
      rx: rate("Received", 8),
      tx: rate("Sent", 2.5),
    }),
  },
  operations: {
    "POST /api/agents/register": {
      id: "registerAgent",
      summary: "Enroll a machine",
      description:
        "An agent calls this once, with a registration token. The same machine may use the token again until its first report, and gets a new key. A machine that the token's owner has already keeps its server. The token is over with the first report, or when its server is deleted.",
      access: "anybody",
      fields: {
        token: "A registration token.",
        machine_id:
          "A secret that the agent made and keeps, of at most 255 characters: it proves that this is the same machine.",
        name: "What to call it; the hostname unless said.",
        ...identity,
      },
      body: { token: "wkt_…", machine_id: "0b5d6c6e-machine", name: "Database", ...machine },
      answer: {
        status: 201,
        description: "The machine is enrolled.",
        schema: success({
          agent: object({ id: id("The agent's id.", 5) }),
          key: text("The agent's key, for its reports.", "wka_…"),
        }),
      },
      refusals: ["token_invalid", "token_expired", "token_used", "quota_reached"],
    },
    "POST /api/agents/report": {
      id: "report",
      summary: "Send samples",
      description: "An agent calls this with its own key. A sample that is sent twice is stored once.",
      access: "agent",
      fields: {
        ...identity,
        interval: "Seconds between its reports: 1 to 86,400.",
        samples: "1 to 1,000, oldest first.",
        agent_version: "The version of the agent program.",
        unreadable_disks: "Disks that cannot be read now, and why; at most 64.",
        "samples.at": "When, in ISO 8601.",
        "samples.cpu": "Percent of all cores; null when there was nothing to compare with.",
        "samples.memory": "Bytes. A total of 0 says that it could not be found out.",
        "samples.disk": "Bytes, the sums over all disks.",
        "samples.disks": "Each mount; at most 64.",
        "samples.network": "KB/s of 1,024 bytes; null when there was nothing to compare with.",
        "samples.swap": "Bytes.",
        "samples.load": "Over 1, 5 and 15 minutes.",
        "samples.boot_time": "When the machine was started, in ISO 8601.",
      },
      body: {
        ...machine,
        interval: 60,
        samples: [
          {
            at: "2026-01-15T12:20:00.000Z",
            cpu: 12.5,
            memory: { total: 16 * GIGABYTE, used: 4 * GIGABYTE },
            disk: { total: 100 * GIGABYTE, used: 50 * GIGABYTE },
            network: { rx: 8, tx: 2.5 },
          },
        ],
      },
      answer: {
        description: "The samples are stored.",
        schema: success({
          accepted: whole(
            "How many of them are stored: at most one a second, none of the future, and none older than 48 hours.",
            1,
          ),
        }),
      },
      refusals: ["unauthorized", "agent_deleted", "rate_limited"],
    },
    "POST /api/agents/token/generate": {
      id: "generateToken",
      summary: "Make a registration token",
      description: "One machine can enroll with it within 24 hours. It is shown only now.",
      access: "user",
      answer: {
        description: "The token is made.",
        schema: success({
          message: text(
            "What it is good for.",
            "This token is shown only now. One machine can enroll with it within 24 hours.",
          ),
          id: id("The token's id, to revoke it.", 3),
          token: text("The registration token.", "wkt_…"),
          expires_at: time("Until when it can be used.", "2026-01-16T12:20:00.000Z"),
          downloads: DOWNLOADS,
        }),
      },
      refusals: ["session_required", "quota_reached"],
    },
    "GET /api/agents/tokens": {
      id: "listTokens",
      summary: "List registration tokens",
      description:
        "The caller's own that have not expired, newest first; at most 1,000. The tokens themselves are not stored.",
      access: "user",
      answer: {
        description: "The tokens.",
        schema: success({
          tokens: list(
            object({
              id: id("The token's id.", 3),
              created_at: time("When it was made."),
              expires_at: time("Until when it can be used.", "2026-01-16T12:20:00.000Z"),
              used: flag("Whether a machine has enrolled with it.", false),
            }),
          ),
          downloads: DOWNLOADS,
        }),
      },
    },
    "DELETE /api/agents/tokens/{id}": {
      id: "revokeToken",
      summary: "Revoke a registration token",
      description: "No machine can enroll with it any more. A server that did so before stays.",
      access: "user",
      fields: { id: "The token's id." },
      answer: { description: "The token is revoked.", schema: success() },
      refusals: ["session_required"],
    },
    "GET /api/agents": {
      id: "listAgents",
      summary: "List servers",
      description: "Those of one's own, in the order in which they enrolled; an administrator sees everybody's.",
      access: "user",
      fields: {
        mine: "1: leave out what an administrator sees of others.",
        search: "A part of the name, the hostname or an address.",
        status: "Only those that stand so.",
        limit: "At most so many.",
        offset: "Leave out so many of the first.",
      },
      parameters: { status: "inactive" },
      answer: {
        description: "A page of servers.",
        schema: success({
          total: whole("How many match, on all pages together.", 1),
          counts: object(
            Object.fromEntries(
              ["all", "active", "inactive", "connecting"].map((status, index) => [
                status,
                whole(`How many: ${status}.`, [4, 3, 1, 0][index]),
              ]),
            ),
          ),
          agents: list(ref("Agent")),
        }),
      },
    },
    "GET /api/agents/{id}": {
      id: "getAgent",
      summary: "Read a server",
      access: "user",
      fields: { id: "The agent's id." },
      answer: { description: "The server.", schema: success({ agent: ref("AgentDetail") }) },
    },
    "PUT /api/agents/{id}": {
      id: "renameAgent",
      summary: "Rename a server",
      access: "user",
      fields: { id: "The agent's id.", name: "1 to 255 characters." },
      body: { name: "Database" },
      answer: { description: "The server is renamed.", schema: success({ agent: ref("AgentDetail") }) },
    },
    "DELETE /api/agents/{id}": {
      id: "deleteAgent",
      summary: "Delete a server",
      description: "Everything that was recorded of it goes with it, and its agent stops at its next report.",
      access: "user",
      fields: { id: "The agent's id." },
      answer: { description: "The server is gone.", schema: success() },
    },
    "GET /api/agents/{id}/metrics": {
      id: "getMetrics",
      summary: "Read a server's figures over a range",
      access: "user",
      fields: { id: "The agent's id.", range: "How far to look back; 24h unless said." },
      parameters: { range: "7d" },
      answer: {
        description: "At most 400 points, oldest first. Spans without a sample have none.",
        schema: success({ points: list(ref("MetricPoint")) }),
      },
    },
  },
};
