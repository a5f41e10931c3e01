import { stat, statfs } from "node:fs";
import { type DiskUsage, REPORT_LIMITS, type UnreadableDisk } from "../../shared/report";

type Part = { path: string; parts: string[] };

const isSpace = (found: SpaceOrReason | undefined): found is Space => found !== undefined && "used" in found;

/** Usage of each filesystem and those that cannot be read, at most 64 of each. `prefix` is removed from the paths. */
export const disksOf = (
  mounts: Part[],
  spaces: Map<string, SpaceOrReason>,
  prefix = "",
): { disks: DiskUsage[]; unreadable: UnreadableDisk[] } => {
  const disks: DiskUsage[] = [];
  const unreadable: UnreadableDisk[] = [];
  for (const { path, parts } of mounts) {
    const mount = path.slice(0, REPORT_LIMITS.mount);
    const own = spaces.get(prefix + path);
    if (!isSpace(own)) {
      if (own && own.reason !== "file") unreadable.push({ mount, reason: own.reason.slice(0, REPORT_LIMITS.reason) });
      continue;
    }
    const found = [own, ...parts.map((part) => spaces.get(prefix + part)).filter(isSpace)];
    const used = found.reduce((sum, space) => sum + space.used, 0);
    // The datasets of a pool share its free space.
    const available = Math.max(...found.map((space) => space.available));
    const total = used + available;
    if (total > 0) disks.push({ mount, total, used });
  }
  return { disks: disks.slice(0, REPORT_LIMITS.disks), unreadable: unreadable.slice(0, REPORT_LIMITS.disks) };
};

type Blocks = { bsize: number; frsize?: number; blocks: number; bfree: number; bavail: number };
/** Bytes, as `df -B1` shows them. */
export type Space = { used: number; available: number };
/** Space of a path, or why it is unknown: `permission`, `timeout`, `file` (not a directory) or the system's error code. */
export type SpaceOrReason = Space | { reason: string };

export const spaceOf = ({ bsize, frsize, blocks, bfree, bavail }: Blocks): Space => {
  const unit = frsize || bsize;
  return { used: (blocks - bfree) * unit, available: Math.max(0, bavail) * unit };
};

/** Milliseconds. A sleeping disk needs seconds to answer; an unreachable network filesystem never does. */
const TIMEOUT = 3000;

const reasonOf = ({ code = "error" }: NodeJS.ErrnoException): string =>
  code === "EACCES" || code === "EPERM" ? "permission" : code;

/**
 * Reads the space of all paths in parallel. A path that has not answered is not read again until it
 * does, because each call holds a thread of the runtime's pool.
 */
export const createSpaceReader = (timeout = TIMEOUT) => {
  const asked = new Map<string, Promise<SpaceOrReason>>();
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
  const ask = (path: string): Promise<SpaceOrReason> => {
    const asking = asked.get(path);
    if (asking) return asking;
    const answer = (async () => (folders.has(path) ? null : await checkFolder(path)) ?? (await readSpace(path)))();
    asked.set(path, answer);
    void answer.then(() => asked.delete(path));
    return answer;
  };
  return async (paths: string[]): Promise<Map<string, SpaceOrReason>> => {
    const late = Promise.withResolvers<SpaceOrReason>();
    const timer = setTimeout(() => late.resolve({ reason: "timeout" }), timeout);
    const entries = await Promise.all(
      paths.map(async (path) => [path, await Promise.race([ask(path), late.promise])] as const),
    );
    clearTimeout(timer);
    return new Map(entries);
  };
};
