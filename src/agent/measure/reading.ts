import type { DiskUsage, Identity, UnreadableDisk, Usage } from "../../shared/report";

/** Counters of one processor, or of all of them: time spent busy and idle, each by kind and in one unit. */
export type CpuTimes = { busy: number[]; idle: number[] };

/** What a container has used of its processors. */
export type CpuUsage = { microseconds: number; processors: number };

/** Bytes since the interface came up. */
export type Counters = { rx: number; tx: number };

/** What a platform reads at one moment: counters that only ever grow, and levels. */
export type Reading = {
  /** One entry for the whole machine, or one for each processor. */
  cpu: CpuTimes[] | CpuUsage | null;
  memory: Usage | null;
  swap?: Usage;
  disks: DiskUsage[];
  /** Disks that could not be read now. */
  unreadable: UnreadableDisk[];
  /** By interface. */
  network: Record<string, Counters>;
  load?: [number, number, number];
  /** Seconds since the machine started. */
  uptime?: number;
};

export type Selection = {
  /** Interfaces to count, by glob; one that starts with ! leaves out. Empty: the physical ones. */
  interfaces: string[];
  /** Whether filesystems that lie on other machines count too. */
  networkFilesystems: boolean;
};

/** What each operating system has to know how to do. None of it throws for a figure that is missing. */
export type Platform = {
  read: () => Promise<Reading>;
  identity: () => Promise<Identity>;
  /** What is unusual about how it measures here, as sentences. */
  remarks: string[];
};
