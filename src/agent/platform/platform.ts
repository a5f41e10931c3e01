import type { CpuParts, DiskUsage, Identity, UnreadableDisk, Usage } from "../../shared/agents/report";

/** CPU times of one processor or of all: busy and idle, by kind, in the same unit. */
export type CpuTimes = { busy: number[]; idle: number[] };

/** CPU usage of a container. */
export type CpuUsage = { microseconds: number; processors: number };

/** Bytes since the interface was brought up. */
export type Counters = { rx: number; tx: number };

/** One reading of a platform: monotonic counters and gauges. */
export type Reading = {
  /** One entry for the whole machine, or one for each processor. */
  cpu: CpuTimes[] | CpuUsage | null;
  /** Time of all processors together, by what it was spent on, in the unit of `total`. */
  cpuParts?: CpuParts & { total: number };
  memory: Usage | null;
  swap?: Usage;
  disks: DiskUsage[];
  /** Disks that cannot be read. */
  unreadable: UnreadableDisk[];
  /** By interface. */
  network: Record<string, Counters>;
  load?: [number, number, number];
  /** Seconds since the machine started. */
  uptime?: number;
  /** Different after each start of the machine; absent where nothing tells starts apart. */
  boot?: string;
  /** Whether the counters of interfaces return to zero at 4 GiB. */
  wraps?: boolean;
};

/** What of the machine is measured. */
export type Selection = {
  /** Globs of interfaces to count; a leading ! excludes. Empty: physical interfaces. */
  interfaces: string[];
  /** Whether network filesystems count as disks. */
  networkFilesystems: boolean;
};

/** The operating-system interface of the agent. Missing figures are null or absent; nothing throws. */
export type Platform = {
  read: () => Promise<Reading>;
  /** Reads what costs little, each second of the live view: no disks, and no system command. */
  readQuick: () => Reading;
  identity: () => Promise<Identity>;
  /** Sentences about limitations of this platform, logged at start. */
  remarks: string[];
};
