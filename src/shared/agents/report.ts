/** Bytes. A total of 0 means unknown. */
export type Usage = { total: number; used: number };

/** The used share of a total in percent, at most 100; null where the total is not known. */
export const usedPercent = ({ total, used }: Usage): number | null =>
  total > 0 ? Math.min(100, (used / total) * 100) : null;

/** One filesystem. The total is what its users can fill: used and available, without the blocks kept for root. */
export type DiskUsage = Usage & {
  mount: string;
  /** Numbers of files; absent on filesystems without a fixed number of them. */
  inodes?: Usage;
};

/**
 * A disk that could not be read: `permission` (the agent's user may not enter a folder above it), `timeout` (it does not
 * answer), or the system's code, as in `EIO`.
 */
export type UnreadableDisk = { mount: string; reason: string };

/** Percent of all cores, by what the time was spent on. Steal is time that the hypervisor gave to other machines. */
export type CpuParts = { user: number; system: number; iowait: number; steal: number };

/** The activity of a block device since the previous sample. */
export type DiskActivity = {
  device: string;
  /** KB/s. */
  read: number;
  write: number;
  /** Percent of the time with pending requests. */
  busy: number;
  /** Average milliseconds of a request; null without requests. */
  latency: number | null;
};

/** Rates of one network interface in KB/s. */
export type InterfaceRate = { name: string; rx: number; tx: number };

/** One temperature sensor. */
export type Temperature = { sensor: string; celsius: number };

/**
 * Counters of the counted network interfaces, which the hub adds up to traffic. They restart at zero when the machine starts,
 * or when an interface is created again.
 */
export type TrafficCounters = {
  /** Different after each start of the machine. */
  boot: string;
  /** Bytes received and sent, by interface. */
  interfaces: Record<string, [rx: number, tx: number]>;
  /** Whether counters return to zero at 4 GiB, as on Windows. */
  wraps?: boolean;
};

/** One measurement of a machine. Rates are since the previous sample. */
export type Sample = {
  /** ISO 8601, UTC. */
  at: string;
  /** Percent of all cores, 0–100; null without a previous reading. */
  cpu: number | null;
  memory: Usage;
  /** The sums over `disks`. */
  disk: Usage;
  disks?: DiskUsage[];
  /** KB/s, 1 KB = 1,024 bytes; null without a previous reading, or when a counter decreased. */
  network: { rx: number; tx: number } | null;
  swap?: Usage;
  /** Over 1, 5 and 15 minutes. */
  load?: [number, number, number];
  /** ISO 8601, UTC. */
  boot_time?: string;
  cpu_parts?: CpuParts;
  disk_activity?: DiskActivity[];
  interfaces?: InterfaceRate[];
  temperatures?: Temperature[];
  traffic?: TrafficCounters;
};

/** A program with the processes of its name together: percent of one core, or bytes. Arguments are never sent. */
export type TopProcess = { name: string; value: number };

/** The programs that use the most processor time and memory, the most first. */
export type TopProcesses = { cpu: TopProcess[]; memory: TopProcess[] };

/** A container of Docker or Podman. */
export type Container = {
  name: string;
  image: string;
  /** As the engine names it: `running`, `exited`, `restarting`, `paused`, `created`, `dead`. */
  state: string;
  health?: "healthy" | "unhealthy" | "starting";
  /** The exit status of a container that is not running. */
  exit_status?: number;
  restarts?: number;
  /** Percent of one core. */
  cpu?: number;
  memory?: number;
};

export type Gpu = {
  name: string;
  /** Percent. */
  usage: number | null;
  memory: Usage | null;
  celsius: number | null;
};

/** A RAID array of Linux, or a ZFS pool. */
export type DiskArray = { name: string; kind: "md" | "zfs"; state: string; degraded: boolean };

/** Facts of a machine besides figures. A field that the agent does not read is absent. */
export type MachineFacts = {
  processors?: number;
  processes?: TopProcesses;
  /** Names of systemd units. */
  failed_units?: string[];
  containers?: Container[];
  /** The number of all containers where it is more than those listed. */
  containers_total?: number;
  gpus?: Gpu[];
  arrays?: DiskArray[];
  reboot_required?: boolean;
};

/** The two programs that report: the executable, and the shell script. */
export const AGENT_KINDS = ["executable", "light"] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

/** Identity of an agent's machine. */
export type Identity = {
  hostname: string;
  /** The address with the default route first. */
  ip_addresses: string[];
  /** Display name of the operating system, as in `Debian GNU/Linux 12 (bookworm)`. */
  os: string;
  /** The system's version; on Linux the kernel's release. */
  version: string;
};

/** The body of `POST /api/agents/register`. */
export type Registration = Identity & { token: string; machine_id: string; name?: string };

/** The body of `POST /api/agents/report`: samples oldest first, the interval between them in seconds. */
export type Report = Identity &
  MachineFacts & {
    interval: number;
    samples: Sample[];
    /** The time of the machine's clock when the report is sent, ISO 8601. */
    sent_at?: string;
    /** When the machine was started, according to that clock. */
    boot_time?: string;
    /** Different after each start of the machine, as in its traffic counters. */
    boot?: string;
    /** The version of the agent program. */
    agent_version?: string;
    agent_kind?: AgentKind;
    /** The platform of its build, as in the names of downloads: `linux-amd64-musl`. */
    agent_platform?: string;
    unreadable_disks?: UnreadableDisk[];
  };

/** A machine's clock that differs from the hub's, in milliseconds. */
export type MachineClock = {
  /** By how much it is ahead; negative: behind. */
  offset: number;
  /** By how much the times of its samples are moved back: its offset, unless it is the hub's clock that was set. */
  shift: number;
};

/** The most of everything in a report; the hub refuses more, and an agent sends the first ones. */
export const REPORT_LIMITS = {
  /** Seconds. */
  intervalMin: 1,
  intervalMax: 86_400,
  samples: 1000,
  disks: 64,
  mount: 1024,
  reason: 32,
  addresses: 16,
  devices: 32,
  interfaces: 32,
  temperatures: 16,
  processes: 5,
  units: 32,
  containers: 100,
  gpus: 8,
  arrays: 32,
  /** Characters of the name of an interface, a device, a sensor, a program, a unit, a container, a GPU or an array. */
  name: 128,
  /** Characters of a hostname, a name, an operating system or a version. */
  text: 255,
} as const;
