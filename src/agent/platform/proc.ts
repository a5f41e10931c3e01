import { existsSync, readdirSync, readFile, readFileSync, readlinkSync } from "node:fs";
import type { Usage } from "../../shared/agents/report";
import type { Counters, CpuUsage, Reading } from "./platform";

/** The files of the kernel, below a folder that is empty except in tests. A file that cannot be read is null. */
export const filesBelow = (root: string) => {
  const orNull = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };
  return {
    text: (path: string): string | null => orNull(() => readFileSync(root + path, "utf8")),
    bytes: (path: string): Uint8Array | null => orNull(() => readFileSync(root + path)),
    /** Reads a file that a device may answer late, or never. */
    slowText: (path: string): Promise<string | null> =>
      new Promise((resolve) => readFile(root + path, "utf8", (error, text) => resolve(error ? null : text))),
    names: (path: string): string[] => orNull(() => readdirSync(root + path)) ?? [],
    link: (path: string): string | null => orNull(() => readlinkSync(root + path)),
    exists: (path: string): boolean => existsSync(root + path),
  };
};

export type Files = ReturnType<typeof filesBelow>;

/**
 * Parses the CPU times of all processors from /proc/stat, and what they were spent on. Steal counts as busy. Guest
 * time is already part of user and nice.
 */
export const parseStat = (text: string): Pick<Reading, "cpu" | "cpuParts"> => {
  const line = /^cpu +(.+)$/m.exec(text)?.[1];
  if (line === undefined) return { cpu: null };
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number);
  const total = user + nice + system + idle + iowait + irq + softirq + steal;
  return {
    cpu: [{ busy: [user, nice, system, irq, softirq, steal], idle: [idle, iowait] }],
    cpuParts: { user: user + nice, system: system + irq + softirq, iowait, steal, total },
  };
};

/** CPU usage of a container from its `cpu.stat` and `cpu.max`. Without a quota it may use every visible processor. */
export const parseContainerCpu = (stat: string, max: string | null, processors: number): CpuUsage | null => {
  const microseconds = Number(/^usage_usec (\d+)$/m.exec(stat)?.[1]);
  if (Number.isNaN(microseconds)) return null;
  const [quota, period] = (max ?? "max").trim().split(" ").map(Number);
  return { microseconds, processors: quota && period ? Math.min(processors, quota / period) : processors };
};

/** Parses the system's display name from /etc/os-release. */
export const parseOsRelease = (text: string): string | null => {
  const value = (name: string) => {
    const raw = new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1]?.trim();
    return raw?.replace(/^(["'])(.*)\1$/, "$2").replace(/\\(["$`\\])/g, "$1");
  };
  return value("PRETTY_NAME") || value("NAME") || null;
};

/** Parses the seconds since boot from /proc/uptime, which containers see as their own. */
export const parseUptime = (text: string): number | undefined => {
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : undefined;
};

/** Parses the load averages over 1, 5 and 15 minutes from /proc/loadavg. */
export const parseLoad = (text: string): [number, number, number] | undefined => {
  const [one, five, fifteen] = text.split(" ").map(Number);
  const load = [one, five, fifteen];
  return load.every((figure) => figure !== undefined && Number.isFinite(figure))
    ? (load as [number, number, number])
    : undefined;
};

const fieldsOf = (text: string, unit: number): Map<string, number> =>
  new Map(
    [...text.matchAll(/^(\S+?):? +(?:\d+ +)?(\d+)(?: kB)?$/gm)].map(([, name, value]) => [
      name as string,
      Number(value) * unit,
    ]),
  );

/** The reclaimable part of the ZFS cache, which the kernel counts as used memory. */
export const reclaimableArc = (arcstats: string): number => {
  const fields = fieldsOf(arcstats, 1);
  return Math.max(0, (fields.get("size") ?? 0) - (fields.get("c_min") ?? 0));
};

/** Parses memory and swap from /proc/meminfo. Memory is null when the figures are inconsistent. */
export const parseMeminfo = (text: string, reclaimable = 0): { memory: Usage | null; swap?: Usage } => {
  const fields = fieldsOf(text, 1024);
  const field = (name: string) => fields.get(name) ?? 0;
  const total = field("MemTotal");
  // Kernels before 3.14 and some containers have no MemAvailable.
  const available =
    fields.get("MemAvailable") ??
    field("MemFree") + field("Buffers") + field("Cached") + field("SReclaimable") - field("Shmem");
  const sound = total > 0 && available >= 0 && available <= total;
  const swapTotal = field("SwapTotal");
  const swapUsed = Math.max(0, swapTotal - field("SwapFree") - field("SwapCached"));
  return {
    memory: sound ? { total, used: Math.max(0, total - available - reclaimable) } : null,
    ...(fields.has("SwapTotal") ? { swap: { total: swapTotal, used: swapUsed } } : {}),
  };
};

/** Memory of a container: usage without the file cache, relative to its limit or to the host's memory. */
export const parseContainerMemory = (
  files: { current: string; max: string | null; stat: string },
  machineTotal: number,
): Usage | null => {
  const current = Number.parseInt(files.current, 10);
  if (Number.isNaN(current)) return null;
  const cache = Number(/^inactive_file (\d+)$/m.exec(files.stat)?.[1] ?? 0);
  const limit = Number.parseInt(files.max ?? "", 10);
  const total = limit > 0 && (machineTotal === 0 || limit < machineTotal) ? limit : machineTotal;
  return total > 0 ? { total, used: Math.min(total, Math.max(0, current - cache)) } : null;
};

/** Parses the counters of every interface from /proc/net/dev. */
export const parseNetDev = (text: string): Record<string, Counters> => {
  const counters: Record<string, Counters> = {};
  for (const line of text.split("\n")) {
    const [, name, rest] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    const fields = rest.trim().split(/\s+/).map(Number);
    const [rx, tx] = [fields[0], fields[8]];
    if (rx !== undefined && tx !== undefined && Number.isFinite(rx) && Number.isFinite(tx)) counters[name] = { rx, tx };
  }
  return counters;
};

/** Names of the interfaces with a default route, IPv4 first. */
export const parseDefaultRoutes = (route: string, ipv6Route: string): string[] => {
  const names = new Set<string>();
  for (const line of route.split("\n").slice(1)) {
    const [name, destination, , , , , , mask] = line.split(/\s+/);
    if (name && destination === "00000000" && mask === "00000000") names.add(name);
  }
  for (const line of ipv6Route.split("\n")) {
    const fields = line.trim().split(/\s+/);
    const [destination, length, name] = [fields[0], fields[1], fields[9]];
    if (name && name !== "lo" && length === "00" && destination !== undefined && /^0{32}$/.test(destination))
      names.add(name);
  }
  return [...names];
};

/** Where a container finds the host's files when they are mounted: `-v /:/host:ro`. */
const HOST = "/host";

/** The folder of the host's files in a container that has them; empty elsewhere. */
export const hostFolder = (files: Files): string => (files.exists(`${HOST}/proc/1/mountinfo`) ? HOST : "");

/** The first half of a random number that the kernel chooses at each start. */
export const readBoot = (files: Files): string | undefined =>
  /^[0-9a-f]{8}/.exec(files.text("/proc/sys/kernel/random/boot_id") ?? "")?.[0];

const MARKS = ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"];

export const isContainer = (files: Files): boolean => MARKS.some(files.exists);

/** Whether this is a container with its own cgroup accounting, where /proc describes the host. */
export const hasOwnAccounts = (files: Files): boolean =>
  isContainer(files) && files.exists("/sys/fs/cgroup/memory.current") && files.exists("/sys/fs/cgroup/cpu.stat");

export const readContainerCpu = (files: Files, processors: number): CpuUsage | null =>
  parseContainerCpu(files.text("/sys/fs/cgroup/cpu.stat") ?? "", files.text("/sys/fs/cgroup/cpu.max"), processors);

export const readContainerMemory = (files: Files, machineTotal: number): Usage | null =>
  parseContainerMemory(
    {
      current: files.text("/sys/fs/cgroup/memory.current") ?? "",
      max: files.text("/sys/fs/cgroup/memory.max"),
      stat: files.text("/sys/fs/cgroup/memory.stat") ?? "",
    },
    machineTotal,
  );

/** One filesystem and its mount point. */
type Mount = {
  path: string;
  /** Mounts of the same disk share a key. */
  key: string;
  type: string;
  /** Whether another machine holds it. */
  network: boolean;
  /** Mount points of a ZFS pool's other datasets, each of which reports only its own usage. */
  parts: string[];
};

type Entry = { device: string; root: string; path: string; type: string; source: string };

const KEPT_TYPES = new Set(["zfs", "btrfs", "bcachefs", "simfs"]);
const NETWORK_TYPES = /^(nfs\d?|cifs|smb3|smbfs|ceph|glusterfs|afs|9p|fuse\..+)$/;
const LEFT_OUT_TYPES = new Set(
  (
    "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs fusectl hugetlbfs iso9660 mqueue nsfs " +
    "overlay proc procfs pstore rpc_pipefs securityfs selinuxfs squashfs erofs sysfs tracefs tmpfs ramfs"
  ).split(" "),
);
const LEFT_OUT_PATHS =
  /^\/(dev|proc|run\/credentials\/.+|sys|var\/lib\/docker\/.+|var\/lib\/containers\/storage\/.+|var\/lib\/kubelet|snap|boot\/efi)($|\/)/;
/** Files that container engines bind-mount from the host's disk. */
const MOUNTED_FILES = new Set(["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"]);

const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const parseLine = (line: string): Entry | null => {
  const [before = "", after = ""] = line.split(" - ");
  const [, , device, root, path] = before.split(" ");
  const [type, source] = after.split(" ");
  if (!device || !root || !path || !type || source === undefined) return null;
  return { device, root: unescapeOctal(root), path: unescapeOctal(path), type, source: unescapeOctal(source) };
};

const isReal = ({ path, type, source }: Entry, networkFilesystems: boolean): boolean => {
  if (LEFT_OUT_TYPES.has(type) || LEFT_OUT_PATHS.test(path) || MOUNTED_FILES.has(path)) return false;
  if (NETWORK_TYPES.test(type)) return networkFilesystems;
  return (source.startsWith("/dev/") && !source.startsWith("/dev/loop")) || KEPT_TYPES.has(type);
};

const poolOf = (source: string): string => source.split("/")[0] ?? source;

const keyOf = ({ device, type, source }: Entry): string => {
  if (type === "zfs") return `zfs ${poolOf(source)}`;
  // Each subvolume has its own device number.
  if (type === "btrfs" || type === "bcachefs") return source;
  return NETWORK_TYPES.test(type) ? source : device;
};

/** Ranks the mounts of one disk; the lowest represents it: the system's root, then whole filesystems, then the shortest path. */
const rank = ({ path, root, type, source }: Entry): number => {
  if (path === "/") return 0;
  if (path === "/sysroot") return 1;
  const whole = type === "zfs" ? !source.includes("/") : root === "/";
  return (whole ? 2 : 100_000) + path.length;
};

/** Parses /proc/self/mountinfo and returns the machine's disks, each once, without virtual filesystems. */
export const parseMounts = (mountinfo: string, networkFilesystems = false): Mount[] => {
  // A later mount on the same path hides the earlier one.
  const visible = new Map<string, Entry>();
  for (const line of mountinfo.split("\n")) {
    const entry = parseLine(line);
    if (entry) visible.set(entry.path, entry);
  }
  const disks = new Map<string, Entry[]>();
  for (const entry of visible.values()) {
    if (!isReal(entry, networkFilesystems)) continue;
    const key = keyOf(entry);
    disks.set(key, [...(disks.get(key) ?? []), entry]);
  }
  const root = visible.get("/");
  // Inside a container only the disk of the root filesystem may be visible.
  if (disks.size === 0 && root && root.type !== "tmpfs" && root.type !== "ramfs") disks.set(root.device, [root]);
  return [...disks].map(([key, entries]) => {
    const [first, ...others] = entries.toSorted((a, b) => rank(a) - rank(b)) as [Entry, ...Entry[]];
    const parts = first.type === "zfs" ? others.map(({ path }) => path) : [];
    return { path: first.path, key, type: first.type, network: NETWORK_TYPES.test(first.type), parts };
  });
};
