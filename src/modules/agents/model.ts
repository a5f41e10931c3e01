import { type Static, t } from "elysia";
import { field, oneOf, whole } from "../../server/schema";
import { REPORT_LIMITS as LIMITS } from "../../shared/agents/report";
import { LIMITS as ALL } from "../../shared/limits";
import { tagFilter, tagsModel } from "../tags/model";

const text = (maxLength: number = LIMITS.text, minLength = 0) =>
  t.String({ minLength, maxLength, error: `expected a text of ${minLength} to ${maxLength} characters` });
/** Above the size of any machine, and exact in floating point. */
const amount = t.Number({ minimum: 0, maximum: 2 ** 60, error: "expected a number from zero up" });
const usage = t.Object({ total: amount, used: amount });
const time = t.String({
  maxLength: 40,
  // Only what Date.parse accepts: an invalid time would make the whole transaction fail.
  pattern:
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$",
  error: "expected a time in ISO 8601",
});

const GIGABYTE = 2 ** 30;

const identity = {
  hostname: field(text(LIMITS.text, 1), "The machine's host name.", "db-1"),
  ip_addresses: field(
    t.Array(text(64), { maxItems: LIMITS.addresses, error: `expected at most ${LIMITS.addresses} addresses` }),
    "Its IP addresses, the one of outgoing connections first; at most 16.",
    ["192.0.2.10"],
  ),
  os: field(text(), "The name of its operating system.", "Debian GNU/Linux 12 (bookworm)"),
  version: field(text(), "The version of the system.", "6.1.0"),
};

const sampleModel = t.Object({
  at: field(time, "When it was taken, in ISO 8601.", "2026-01-15T12:20:00.000Z"),
  cpu: field(
    t.Union([t.Number({ minimum: 0, maximum: 100 }), t.Null()], { error: "expected 0 to 100, or null" }),
    "Percent of all cores; null for the first sample after a start.",
    12.5,
  ),
  memory: field(usage, "Bytes. A total of 0 means unknown.", { total: 16 * GIGABYTE, used: 4 * GIGABYTE }),
  disk: field(usage, "Bytes, summed over all disks.", { total: 100 * GIGABYTE, used: 50 * GIGABYTE }),
  disks: t.Optional(
    field(
      t.Array(t.Object({ mount: text(LIMITS.mount), total: amount, used: amount }), {
        maxItems: LIMITS.disks,
        error: `expected at most ${LIMITS.disks} disks`,
      }),
      "Each mount point; at most 64.",
    ),
  ),
  network: field(
    t.Union([t.Object({ rx: amount, tx: amount }), t.Null()], { error: "expected rates rx and tx, or null" }),
    "KB/s of 1,024 bytes; null for the first sample after a start.",
    { rx: 8, tx: 2.5 },
  ),
  swap: t.Optional(field(usage, "Bytes.")),
  load: t.Optional(
    field(t.Tuple([amount, amount, amount], { error: "expected three numbers" }), "Over 1, 5 and 15 minutes."),
  ),
  boot_time: t.Optional(field(time, "When the machine was started, in ISO 8601.")),
});

export const reportModel = t.Object({
  ...identity,
  // Not Elysia's integer, which also accepts texts and would make every sample be decoded.
  interval: field(
    t.Number({
      minimum: LIMITS.intervalMin,
      maximum: LIMITS.intervalMax,
      multipleOf: 1,
      error: `expected a whole number from ${LIMITS.intervalMin} to ${LIMITS.intervalMax} seconds`,
    }),
    "Seconds between reports: 1 to 86,400.",
    60,
  ),
  samples: field(
    t.Array(sampleModel, {
      minItems: 1,
      maxItems: LIMITS.samples,
      error: `expected 1 to ${LIMITS.samples} samples`,
    }),
    "1 to 1,000, oldest first.",
  ),
  agent_version: t.Optional(field(text(), "The version of the agent program.")),
  unreadable_disks: t.Optional(
    field(
      t.Array(t.Object({ mount: text(LIMITS.mount), reason: text(LIMITS.reason) }), {
        maxItems: LIMITS.disks,
        error: `expected at most ${LIMITS.disks} disks`,
      }),
      "Disks that can't be read now, and why; at most 64.",
    ),
  ),
});

export const registerModel = t.Object({
  ...identity,
  token: field(t.String({ maxLength: 200 }), "An enrollment token.", "wkt_…"),
  machine_id: field(
    text(LIMITS.text, 1),
    "A secret of at most 255 characters that the agent generates and keeps: it proves that this is the same machine.",
    "0b5d6c6e-machine",
  ),
  name: t.Optional(field(text(), "The server's name; the host name by default.", "Database")),
});
export type RegisterBody = Static<typeof registerModel>;

export const renameModel = t.Object({
  name: field(
    t.String({
      pattern: "\\S",
      maxLength: LIMITS.text,
      error: `expected a name of 1 to ${LIMITS.text} characters`,
    }),
    "1 to 255 characters.",
    "Database",
  ),
  tags: t.Optional(field(tagsModel, "Its tags, at most 20. They replace those that it has.", [{ name: "production" }])),
});
export type RenameBody = Static<typeof renameModel>;

const FIGURES = ["cpu", "memory", "disk", "network", "load"] as const;
export const AGENT_SORTS = ["name", "status", ...FIGURES, "hostname", "os", "uptime", "reported", "created"] as const;
export type AgentSort = (typeof AGENT_SORTS)[number];

export const listQuery = t.Object({
  mine: t.Optional(field(oneOf(["1"]), "1: only your own servers, for administrators, who also see other users'.")),
  search: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "Only servers with this in their name, host name, operating system or IP addresses, regardless of case.",
    ),
  ),
  status: t.Optional(field(oneOf(["active", "inactive", "connecting"]), "Only servers with this status.", "inactive")),
  tag: tagFilter,
  sort: t.Optional(
    field(
      oneOf(AGENT_SORTS),
      "By what to sort; `created` by default. `status` is by urgency: inactive, connecting, active. `cpu`, `memory` and `disk` are shares in use, `network` is the sum of both directions, `load` is that over 1 minute, `uptime` is the time since the machine was started, and `reported` is the latest report. Servers without a value come last, and those with the same value are sorted by name.",
      "cpu",
    ),
  ),
  order: t.Optional(field(oneOf(["asc", "desc"]), "The direction of the sort; `asc` by default.")),
  limit: t.Optional(field(whole(1, ALL.listed), "The size of the page; 1,000 by default.")),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many servers to skip.")),
});

export const METRIC_RANGES = ["1h", "24h", "7d", "30d", "1y"] as const;
export type MetricRange = (typeof METRIC_RANGES)[number];
export const metricsQuery = t.Object({
  range: t.Optional(field(oneOf(METRIC_RANGES), "How far to look back; 24h by default.", "7d")),
});
