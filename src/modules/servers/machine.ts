import type { Static } from "@sinclair/typebox";
import type { agentStates } from "../../db/schema";
import { tenth } from "../../lib/round";
import { isoTime } from "../../lib/time";
import { boolean, integer, list, nullable, number, object, oneOf, optional, text } from "../../server/answers";
import { AGENT_KINDS, type MachineClock, type Report, type Sample } from "../../shared/agents/report";
import { SECOND } from "../../shared/limits";
import type { AlertFacts } from "../../shared/notifications";

/*
 * What a server's latest report says besides the figures that every agent sends. A field is null where the agent does not
 * report it.
 */

const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;

/** Bytes or numbers in total and in use. */
const usageFields = { total: number("Bytes.", 100 * GIGABYTE), used: number("Bytes.", 50 * GIGABYTE) };
/** The mount point of a disk. */
export const mountField = text("Its mount point.", "/");
const rate = (what: string, example: number) => number(`${what} in KB/s of 1,024 bytes.`, example);
const files = object({ total: number("All.", 6_553_600), used: number("In use.", 412_000) });
const program = (what: string, example: number) =>
  list(object({ name: text("The name of the program.", "postgres"), value: number(what, example) }));
const celsius = (what: string) => number(`${what} in degrees Celsius.`, 47.5);

const diskFields = {
  disks: nullable(
    list(
      object({ mount: mountField, ...usageFields, inodes: optional(files) }),
      "Each mount point, with its numbers of files where they are limited; null if the agent reports only their sum.",
    ),
  ),
  swap: nullable(object(usageFields)),
  unreadable_disks: list(
    object({
      mount: mountField,
      reason: text(
        "`permission`: the agent's user may not enter a folder above it; `timeout`: it does not respond; otherwise the system's error code.",
        "permission",
      ),
    }),
    "Disks that the agent could not read for its latest report.",
  ),
  disk_activity: nullable(
    list(
      object({
        device: text("The block device.", "nvme0n1"),
        read: rate("Read", 120.5),
        write: rate("Written", 840),
        busy: number("Percent of the time in which it had requests.", 3.2),
        latency: nullable(number("Average milliseconds of a request; null without requests.", 0.8)),
      }),
      "What each disk did between the latest two samples.",
    ),
  ),
  arrays: nullable(
    list(
      object({
        name: text("Its name.", "md0"),
        kind: oneOf("A RAID array of Linux, or a ZFS pool.", ["md", "zfs"]),
        state: text("Its state in the system's words.", "active"),
        degraded: boolean("Whether a part of it has failed.", false),
      }),
      "RAID arrays and ZFS pools.",
    ),
  ),
};

const containerFields = object({
  name: text("Its name.", "shop-web-1"),
  image: text("Its image.", "nginx:1.27"),
  state: text("As the engine names it: `running`, `exited`, `restarting`, `paused`, `created` or `dead`.", "running"),
  health: optional(oneOf("Only with a health check.", ["healthy", "unhealthy", "starting"])),
  exit_status: optional(integer("The exit status of one that is not running.", 0)),
  restarts: optional(integer("How often it was restarted.", 0)),
  cpu: optional(number("Percent of one core.", 4.5)),
  memory: optional(number("Bytes.", 180 * MEGABYTE)),
});

/** The fields of a server's detail that its latest report fills. */
export const machineFields = {
  ...diskFields,
  cpu_parts: nullable(
    object({
      user: number("Percent spent in programs.", 9.5),
      system: number("Percent spent in the system.", 2.5),
      iowait: number("Percent spent waiting for disks.", 0.5),
      steal: number("Percent that the hypervisor gave to other machines.", 0),
    }),
  ),
  interfaces: nullable(
    list(
      object({ name: text("Its name.", "eth0"), rx: rate("Received", 8), tx: rate("Sent", 2.5) }),
      "Each network interface.",
    ),
  ),
  temperatures: nullable(
    list(
      object({ sensor: text("Its name.", "coretemp/Package id 0"), celsius: celsius("Its temperature") }),
      "Each sensor.",
    ),
  ),
  processors: nullable(integer("The number of logical processors.", 4)),
  processes: nullable(object({ cpu: program("Percent of one core.", 61), memory: program("Bytes.", 900 * MEGABYTE) })),
  failed_units: nullable(
    list(text("The name of a systemd unit.", "backup.service"), "systemd units that have failed."),
  ),
  containers: nullable(list(containerFields, "Containers, at most 100.")),
  containers_total: nullable(integer("The number of all containers where it is more than those listed.", 120)),
  gpus: nullable(
    list(
      object({
        name: text("Its name.", "NVIDIA GeForce RTX 3060"),
        usage: nullable(number("Percent.", 35)),
        memory: nullable(object(usageFields)),
        celsius: nullable(celsius("Its temperature")),
      }),
      "Graphics processors.",
    ),
  ),
  reboot_required: nullable(boolean("Whether an update needs a restart of the machine.", false)),
  clock_offset: nullable(
    integer(
      "By how many seconds its clock is ahead of the hub's, negative when it is behind; null while they differ by at most 15 seconds. The times of its samples are corrected.",
      3600,
    ),
  ),
  agent_kind: nullable(oneOf("The agent program: the executable, or the shell script.", AGENT_KINDS)),
  agent_platform: nullable(text("The platform of the agent's build, as in the names of downloads.", "linux-amd64")),
};

type Extra = NonNullable<typeof agentStates.$inferSelect.extra>;
const machineSchema = object(machineFields);

/** The fields of `extra` that are presented as they are stored. */
const STORED = [
  "disks",
  "swap",
  "disk_activity",
  "arrays",
  "cpu_parts",
  "interfaces",
  "temperatures",
  "processors",
  "processes",
  "failed_units",
  "containers",
  "containers_total",
  "gpus",
  "reboot_required",
  "agent_kind",
  "agent_platform",
] as const satisfies readonly (keyof Extra)[];

/** The sample of a report with the latest time. */
export const newestSample = ({ samples }: Report): Sample =>
  samples.reduce((newest, sample) => (Date.parse(sample.at) >= Date.parse(newest.at) ? sample : newest));

/** The machine of a report: each field that the agent sent. */
export const machineOf = (report: Report, newest: Sample, clock: MachineClock | undefined): Extra => {
  const { disks, swap, load, boot_time, cpu_parts, disk_activity, interfaces, temperatures } = newest;
  const { agent_version, agent_kind, agent_platform, unreadable_disks } = report;
  const { processors, processes, failed_units, containers, containers_total, gpus, arrays, reboot_required } = report;
  return {
    ...{ disks, swap, load, cpu_parts, disk_activity, interfaces, temperatures },
    // In one form, so that lists can be sorted by it.
    boot_time: boot_time && isoTime(Date.parse(boot_time)),
    ...(clock && { clock }),
    ...{ agent_version, agent_kind, agent_platform, unreadable_disks },
    ...{ processors, processes, failed_units, containers, containers_total, gpus, arrays, reboot_required },
  };
};

/** By how many seconds the clock of a machine is ahead of the hub's; null while both agree. */
const clockOffsetOf = (extra: Extra | null): number | null =>
  extra?.clock ? Math.round(extra.clock.offset / SECOND) : null;

/** The fact for events of a server whose clock is wrong; null while both agree. */
export const clockFactOf = (extra: Extra | null): Pick<AlertFacts, "clock_offset"> | null => {
  const clock_offset = clockOffsetOf(extra);
  return clock_offset === null ? null : { clock_offset };
};

/** Presents what the latest report says of a machine. */
export const presentMachine = (extra: Extra | null): Static<typeof machineSchema> => ({
  ...(Object.fromEntries(STORED.map((name) => [name, extra?.[name] ?? null])) as Omit<
    Static<typeof machineSchema>,
    "unreadable_disks" | "clock_offset"
  >),
  unreadable_disks: extra?.unreadable_disks ?? [],
  clock_offset: clockOffsetOf(extra),
});

/** The highest temperature of a machine in degrees Celsius; null without a sensor. */
const hottestOf = (extra: Extra | null): number | null =>
  extra?.temperatures?.length ? Math.max(...extra.temperatures.map(({ celsius }) => celsius)) : null;

type LatestFigures = Pick<
  typeof agentStates.$inferSelect,
  "cpu" | "memoryTotal" | "memoryUsed" | "diskTotal" | "diskUsed" | "networkRx" | "networkTx" | "extra"
>;

/** The figures of a server's latest report, as lists and open pages show them. */
export const presentFigures = (state: LatestFigures) => ({
  cpu_usage: tenth(state.cpu),
  memory_total: state.memoryTotal,
  memory_used: state.memoryUsed,
  disk_total: state.diskTotal,
  disk_used: state.diskUsed,
  network_rx: tenth(state.networkRx),
  network_tx: tenth(state.networkTx),
  load_average: state.extra?.load ?? null,
  temperature: tenth(hottestOf(state.extra)),
});
