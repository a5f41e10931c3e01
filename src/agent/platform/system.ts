import { stat, statfs } from "node:fs";
import type { CpuInfo, NetworkInterfaceInfo } from "node:os";
import { type DiskUsage, REPORT_LIMITS, type UnreadableDisk, type Usage } from "../../shared/agents/report";
import { readBounded } from "../runtime";
import type { CpuTimes } from "./platform";

/** Returns the reader's result, or the fallback when it throws, so that one unreadable figure does not stop the agent. */
export const attempt = <T, F>(read: () => T, fallback: F): T | F => {
  try {
    return read();
  } catch {
    return fallback;
  }
};

/** Bytes of a command's output. */
const LARGEST_OUTPUT = 1_000_000;

/** The environment of system commands, without the agent's own settings, which may include a token. */
const commandEnvironment = (): Record<string, string | undefined> => {
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("WAKEFUL_"));
  return { ...Object.fromEntries(settings), LC_ALL: "C" };
};

/** Runs a system command and returns its output, or an empty string when it is missing, fails, times out or does not end. */
export const outputOf = async (words: string[], timeout = 10_000): Promise<string> => {
  try {
    const child = Bun.spawn(words, {
      env: commandEnvironment(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: timeout,
      windowsHide: true,
    });
    const text = await readBounded(child.stdout, LARGEST_OUTPUT);
    if (text === null) child.kill();
    return text ?? "";
  } catch {
    return "";
  }
};

/** CPU times of each processor, for systems without an iowait counter. */
export const processorTimes = (cpus: Pick<CpuInfo, "times">[]): CpuTimes[] | null =>
  cpus.length === 0
    ? null
    : cpus.map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: [user, nice, sys, irq], idle: [idle] }));

/** Virtual interfaces of container engines and hypervisors. */
const BRIDGES = /^(docker|br-|veth|virbr|cni|flannel|cali|lxcbr|lxdbr|podman|vnet|tap)/;
const LINK_LOCAL = /^fe[89ab]/i;

/** Selects the machine's IP addresses, interfaces with a default route first. */
export const selectAddresses = (
  interfaces: Record<string, Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>,
  defaultRoutes: string[] = [],
): string[] => {
  const place = (name: string) => (defaultRoutes.includes(name) ? defaultRoutes.indexOf(name) : defaultRoutes.length);
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !BRIDGES.test(name) || defaultRoutes.includes(name))
    .toSorted(([a], [b]) => place(a) - place(b))
    .flatMap(([, found]) => found ?? [])
    .filter(({ address, internal }) => !internal && !LINK_LOCAL.test(address))
    .map(({ address }) => address);
  return [...new Set(addresses)].slice(0, REPORT_LIMITS.addresses);
};

/** Whether a glob matches the whole of a name. */
const matches = (glob: string, name: string): boolean => new Bun.Glob(glob).match(name);

type Interfaces = {
  names: string[];
  /** Whether the interface is hardware. Virtual interfaces would count its traffic a second time. */
  isPhysical: (name: string) => boolean;
  /** Called only when there is no physical interface, as in containers. */
  defaultRoutes: () => string[];
};

/** Selects the interfaces to count: those that match the globs, or else the physical ones. */
export const selectInterfaces = (globs: string[], { names, isPhysical, defaultRoutes }: Interfaces): string[] => {
  const included = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const candidates = names.filter((name) => !excluded.some((glob) => matches(glob, name)));
  if (included.length > 0) return candidates.filter((name) => included.some((glob) => matches(glob, name)));
  const physical = candidates.filter(isPhysical);
  if (physical.length > 0) return physical;
  const routes = defaultRoutes();
  return candidates.filter((name) => routes.includes(name));
};

type Part = { path: string; parts: string[]; type?: string };

const isSpace = (found: SpaceOrReason | undefined): found is Space => found !== undefined && "used" in found;

/** Usage of each filesystem and those that cannot be read, at most 64 of each. `prefix` is removed from the paths. */
export const disksOf = (
  mounts: Part[],
  spaces: Map<string, SpaceOrReason>,
  prefix = "",
): { disks: DiskUsage[]; unreadable: UnreadableDisk[] } => {
  const disks: DiskUsage[] = [];
  const unreadable: UnreadableDisk[] = [];
  for (const { path, parts, type } of mounts) {
    // A cut must not leave half a character, which the hub refuses.
    const mount = path.slice(0, REPORT_LIMITS.mount).toWellFormed();
    const own = spaces.get(prefix + path);
    if (!isSpace(own)) {
      if (own && own.reason !== "file")
        unreadable.push({ mount, reason: own.reason.slice(0, REPORT_LIMITS.reason).toWellFormed() });
      continue;
    }
    const allSpaces = [own, ...parts.map((part) => spaces.get(prefix + part)).filter(isSpace)];
    const used = allSpaces.reduce((sum, space) => sum + space.used, 0);
    // The datasets of a pool share its free space.
    const available = Math.max(...allSpaces.map((space) => space.available));
    const total = used + available;
    // ZFS computes a number of files from the free space.
    const inodes = own.inodes && type !== "zfs" ? { inodes: own.inodes } : {};
    if (total > 0) disks.push({ mount, total, used, ...inodes });
  }
  return { disks: disks.slice(0, REPORT_LIMITS.disks), unreadable: unreadable.slice(0, REPORT_LIMITS.disks) };
};

type Blocks = {
  bsize: number;
  frsize?: number;
  blocks: number;
  bfree: number;
  bavail: number;
  files?: number;
  ffree?: number;
};
/** Bytes, as `df -B1` shows them, and numbers of files where the filesystem has a fixed number of them. */
export type Space = { used: number; available: number; inodes?: Usage };
/** Space of a path, or why it is unknown: `permission`, `timeout`, `file` (not a directory) or the system's error code. */
export type SpaceOrReason = Space | { reason: string };

export const spaceOf = ({ bsize, frsize, blocks, bfree, bavail, files = 0, ffree = 0 }: Blocks): Space => {
  const unit = frsize || bsize;
  // Btrfs and FAT say 0; some network filesystems say -1, or more free than there are.
  const counted = files > 0 && files <= Number.MAX_SAFE_INTEGER && ffree >= 0 && ffree <= files;
  return {
    used: (blocks - bfree) * unit,
    available: Math.max(0, bavail) * unit,
    ...(counted ? { inodes: { total: files, used: files - ffree } } : {}),
  };
};

/** Milliseconds. A sleeping disk needs seconds to answer; an unreachable network filesystem never does. */
const TIMEOUT = 3000;

const reasonOf = ({ code = "error" }: NodeJS.ErrnoException): string =>
  code === "EACCES" || code === "EPERM" ? "permission" : code;

/**
 * Reads what belongs to each key in parallel; null for what has not answered in time. A key that has not answered is not
 * read again until it does, because each call holds a thread of the runtime's pool. At most `atOnce` are read at the same
 * time, hung ones included.
 */
export const createBoundedReader = <Value>(
  read: (key: string) => Promise<Value>,
  timeout: number,
  atOnce = Number.POSITIVE_INFINITY,
) => {
  const pending = new Map<string, Promise<Value>>();
  const readOnce = (key: string): Promise<Value> => {
    const earlier = pending.get(key);
    if (earlier) return earlier;
    const answer = read(key);
    pending.set(key, answer);
    answer.finally(() => pending.delete(key)).catch(() => {});
    return answer;
  };
  return async (keys: string[]): Promise<Map<string, Value | null>> => {
    const late = Promise.withResolvers<null>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.resolve(null);
    }, timeout);
    const values = new Map<string, Value | null>(keys.map((key) => [key, null]));
    const waiting = [...keys];
    const work = async () => {
      for (let key = waiting.shift(); key !== undefined && !isLate; key = waiting.shift())
        values.set(key, await Promise.race([readOnce(key), late.promise]));
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, keys.length) }, work));
    clearTimeout(timer);
    return values;
  };
};

/** Reads the space of all paths, at most `atOnce` of them at the same time. */
export const createSpaceReader = (timeout = TIMEOUT, atOnce?: number) => {
  /** Paths known to be directories. Container engines also bind-mount single files. */
  const folders = new Set<string>();
  const readSpace = (path: string) =>
    new Promise<SpaceOrReason>((resolve) =>
      statfs(path, (error, blocks) => resolve(error ? { reason: reasonOf(error) } : spaceOf(blocks))),
    );
  const checkFolder = (path: string) =>
    new Promise<{ reason: string } | null>((resolve) =>
      stat(path, (error, found) => {
        if (error) return resolve({ reason: reasonOf(error) });
        if (!found.isDirectory()) return resolve({ reason: "file" });
        folders.add(path);
        resolve(null);
      }),
    );
  const read = createBoundedReader(
    async (path) => (folders.has(path) ? null : await checkFolder(path)) ?? (await readSpace(path)),
    timeout,
    atOnce,
  );
  return async (paths: string[]): Promise<Map<string, SpaceOrReason>> =>
    new Map([...(await read(paths))].map(([path, space]) => [path, space ?? { reason: "timeout" }]));
};
