/** Bytes. A total of 0 means unknown. */
export type Usage = { total: number; used: number };

/** One filesystem. The total is what its users can fill: used and available, without the blocks kept for root. */
export type DiskUsage = Usage & { mount: string };

/**
 * A disk that could not be read: `permission` (the agent's user may not enter a folder above it), `timeout` (it does not
 * answer), or the system's code, as in `EIO`.
 */
export type UnreadableDisk = { mount: string; reason: string };

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
};

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
export type Report = Identity & {
  interval: number;
  samples: Sample[];
  /** The version of the agent program. */
  agent_version?: string;
  unreadable_disks?: UnreadableDisk[];
};

export const REPORT_LIMITS = {
  /** Seconds. */
  intervalMin: 1,
  intervalMax: 86_400,
  samples: 1000,
  disks: 64,
  mount: 1024,
  reason: 32,
  addresses: 16,
  /** Characters of a hostname, a name, an operating system or a version. */
  text: 255,
} as const;
