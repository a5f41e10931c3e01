import { t } from "elysia";
import { field, oneOf } from "../../../server/schema";
import { AGENT_KINDS, REPORT_LIMITS as LIMITS } from "../../../shared/agents/report";

/*
 * What the hub accepts of agents. Each text and list is bounded, and unknown fields are dropped. Elysia's integer is not used: it
 * also accepts texts, so that every sample would be decoded.
 */

/** A text of limited length. */
export const boundedText = (maxLength: number = LIMITS.text, minLength = 0) =>
  t.String({
    minLength,
    maxLength,
    error: `expected a text of ${minLength > 0 ? `${minLength} to` : "at most"} ${maxLength} characters`,
  });

const name = () => boundedText(LIMITS.name, 1);
/** Above the size of any machine, and exact in floating point. */
const amount = t.Number({ minimum: 0, maximum: 2 ** 60, error: "expected a number from zero up" });
const wholeNumber = (minimum: number, maximum: number) =>
  t.Number({ minimum, maximum, multipleOf: 1, error: `expected a whole number from ${minimum} to ${maximum}` });
const usage = t.Object({ total: amount, used: amount });
const percent = t.Number({ minimum: 0, maximum: 100, error: "expected 0 to 100" });
const celsius = t.Number({ minimum: -273, maximum: 1000, error: "expected degrees Celsius" });
const time = t.String({
  maxLength: 40,
  // Only what Date.parse accepts: an invalid time would make the whole transaction fail.
  pattern:
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$",
  error: "expected a time in ISO 8601",
});

const listOf = <Schema extends Parameters<typeof t.Array>[0]>(items: Schema, maxItems: number, what: string) =>
  t.Array(items, { maxItems, error: `expected at most ${maxItems} ${what}` });
const orNull = <Schema extends Parameters<typeof t.Optional>[0]>(schema: Schema, error: string) =>
  t.Union([schema, t.Null()], { error });

const GIGABYTE = 2 ** 30;

/** The fields that identify a machine. */
export const identity = {
  hostname: field(boundedText(LIMITS.text, 1), "The machine's host name.", "db-1"),
  ip_addresses: field(
    listOf(boundedText(64), LIMITS.addresses, "addresses"),
    "Its IP addresses, the one of outgoing connections first; at most 16.",
    ["192.0.2.10"],
  ),
  os: field(boundedText(), "The name of its operating system.", "Debian GNU/Linux 12 (bookworm)"),
  version: field(boundedText(), "The version of the system.", "6.1.0"),
};

/** Keys of an object are not among the texts that are checked before validation: those that no database can store are refused. */
const interfaceName = t.String({
  pattern: `^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]{1,${LIMITS.name}}$`,
});
const counter = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const trafficModel = t.Object({
  boot: field(boundedText(64, 1), "Different after each start of the machine."),
  interfaces: field(
    t.Record(interfaceName, t.Tuple([counter, counter], { error: "expected two whole numbers" }), {
      maxProperties: LIMITS.interfaces,
      additionalProperties: false,
      error: `expected at most ${LIMITS.interfaces} interfaces, each with two whole numbers`,
    }),
    "Bytes received and sent since the start, by interface; at most 32.",
  ),
  wraps: t.Optional(field(t.Boolean(), "Whether counters return to zero at 4 GiB.")),
});

/** The further figures of a sample; an agent may leave out any. */
const furtherFigures = {
  swap: t.Optional(field(usage, "Bytes.")),
  load: t.Optional(
    field(t.Tuple([amount, amount, amount], { error: "expected three numbers" }), "Over 1, 5 and 15 minutes."),
  ),
  boot_time: t.Optional(field(time, "When the machine was started, in ISO 8601.")),
  cpu_parts: t.Optional(
    field(
      t.Object({ user: percent, system: percent, iowait: percent, steal: percent }),
      "Percent of all cores, by what the time was spent on.",
    ),
  ),
  disk_activity: t.Optional(
    field(
      listOf(
        t.Object({
          device: name(),
          read: amount,
          write: amount,
          busy: percent,
          latency: orNull(amount, "expected milliseconds, or null"),
        }),
        LIMITS.devices,
        "devices",
      ),
      "What each block device did since the sample before: KB/s read and written, percent of the time in which it was busy, and the average milliseconds of a request; at most 32.",
    ),
  ),
  interfaces: t.Optional(
    field(
      listOf(t.Object({ name: name(), rx: amount, tx: amount }), LIMITS.interfaces, "interfaces"),
      "KB/s of each network interface; at most 32.",
    ),
  ),
  temperatures: t.Optional(
    field(
      listOf(t.Object({ sensor: name(), celsius }), LIMITS.temperatures, "temperatures"),
      "Degrees Celsius of each sensor; at most 16.",
    ),
  ),
  traffic: t.Optional(field(trafficModel, "The counters of the network interfaces.")),
};

export const sampleModel = t.Object({
  at: field(time, "When it was taken, in ISO 8601.", "2026-01-15T12:20:00.000Z"),
  cpu: field(
    orNull(percent, "expected 0 to 100, or null"),
    "Percent of all cores; null for the first sample after a start.",
    12.5,
  ),
  memory: field(usage, "Bytes. A total of 0 means unknown.", { total: 16 * GIGABYTE, used: 4 * GIGABYTE }),
  disk: field(usage, "Bytes, summed over all disks.", { total: 100 * GIGABYTE, used: 50 * GIGABYTE }),
  disks: t.Optional(
    field(
      listOf(
        t.Object({
          mount: boundedText(LIMITS.mount),
          total: amount,
          used: amount,
          inodes: t.Optional(field(usage, "Numbers of files.")),
        }),
        LIMITS.disks,
        "disks",
      ),
      "Each mount point; at most 64.",
    ),
  ),
  network: field(
    orNull(t.Object({ rx: amount, tx: amount }), "expected rates rx and tx, or null"),
    "KB/s of 1,024 bytes; null for the first sample after a start.",
    { rx: 8, tx: 2.5 },
  ),
  ...furtherFigures,
});

const topProcesses = listOf(t.Object({ name: name(), value: amount }), LIMITS.processes, "programs");
const containerModel = t.Object({
  name: name(),
  image: boundedText(),
  state: field(boundedText(32), "As the engine names it."),
  health: t.Optional(oneOf(["healthy", "unhealthy", "starting"])),
  exit_status: t.Optional(wholeNumber(-(2 ** 31), 2 ** 32)),
  restarts: t.Optional(wholeNumber(0, 2 ** 31)),
  cpu: t.Optional(field(amount, "Percent of one core.")),
  memory: t.Optional(field(amount, "Bytes.")),
});
const gpuModel = t.Object({
  name: name(),
  usage: orNull(percent, "expected 0 to 100, or null"),
  memory: orNull(usage, "expected total and used bytes, or null"),
  celsius: orNull(celsius, "expected degrees Celsius, or null"),
});

/** The facts of a machine besides figures. */
const machineFacts = {
  processors: t.Optional(field(wholeNumber(1, 65_536), "The number of logical processors.")),
  processes: t.Optional(
    field(
      t.Object({ cpu: topProcesses, memory: topProcesses }),
      "The programs that use the most processor time, in percent of one core, and the most memory, in bytes; at most 5 of each.",
    ),
  ),
  failed_units: t.Optional(
    field(listOf(name(), LIMITS.units, "units"), "The names of failed systemd units; at most 32."),
  ),
  containers: t.Optional(field(listOf(containerModel, LIMITS.containers, "containers"), "Containers; at most 100.")),
  containers_total: t.Optional(
    field(wholeNumber(0, 2 ** 31), "The number of all containers where it is more than those listed."),
  ),
  gpus: t.Optional(field(listOf(gpuModel, LIMITS.gpus, "graphics processors"), "Graphics processors; at most 8.")),
  arrays: t.Optional(
    field(
      listOf(
        t.Object({ name: name(), kind: oneOf(["md", "zfs"]), state: boundedText(LIMITS.name), degraded: t.Boolean() }),
        LIMITS.arrays,
        "arrays",
      ),
      "RAID arrays and ZFS pools; at most 32.",
    ),
  ),
  reboot_required: t.Optional(field(t.Boolean(), "Whether an update needs a restart of the machine.")),
};

export const reportModel = t.Object({
  ...identity,
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
  sent_at: t.Optional(
    field(
      time,
      "The time of the machine's clock when the report is sent, in ISO 8601. Where it differs from the hub's by more than 15 seconds, the times of the samples are corrected.",
      "2026-01-15T12:20:00.000Z",
    ),
  ),
  boot_time: t.Optional(
    field(
      time,
      "When the machine was started according to that clock, by which the hub notices that the clock was set.",
    ),
  ),
  boot: t.Optional(field(boundedText(64, 1), "Different after each start of the machine, as in `traffic`.")),
  agent_version: t.Optional(field(boundedText(), "The version of the agent program.")),
  agent_kind: t.Optional(field(oneOf(AGENT_KINDS), "Which agent program it is.")),
  agent_platform: t.Optional(
    field(boundedText(LIMITS.name), "The platform of its build, as in the names of downloads."),
  ),
  unreadable_disks: t.Optional(
    field(
      listOf(t.Object({ mount: boundedText(LIMITS.mount), reason: boundedText(LIMITS.reason) }), LIMITS.disks, "disks"),
      "Disks that can't be read now, and why; at most 64.",
    ),
  ),
  ...machineFacts,
});
