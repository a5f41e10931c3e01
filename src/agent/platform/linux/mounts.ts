/** One filesystem and its mount point. */
type Mount = {
  path: string;
  /** Mounts of the same disk share a key. */
  key: string;
  type: string;
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

/** The lower, the better it stands for its disk: the system's root, then whole filesystems, then the shortest path. */
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
    return { path: first.path, key, type: first.type, parts };
  });
};
