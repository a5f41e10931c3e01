import { stat, statfs } from "node:fs";

type Blocks = { bsize: number; frsize?: number; blocks: number; bfree: number; bavail: number };
/** Bytes, as `df -B1` shows them. */
export type Space = { used: number; available: number };
/** What a path holds, or why that is not known: `permission`, `timeout`, `file` (it is no folder) or the system's code. */
export type SpaceOrReason = Space | { reason: string };

export const spaceOf = ({ bsize, frsize, blocks, bfree, bavail }: Blocks): Space => {
  const unit = frsize || bsize;
  return { used: (blocks - bfree) * unit, available: Math.max(0, bavail) * unit };
};

/** Milliseconds. A disk that is asleep needs some; a server that went away would never answer. */
const TIMEOUT = 3000;

const reasonOf = ({ code = "error" }: NodeJS.ErrnoException): string =>
  code === "EACCES" || code === "EPERM" ? "permission" : code;

/**
 * Asks each path how full its filesystem is, all at once. One that does not answer in time is not asked again before it
 * answers, since each question holds a thread of the runtime's pool.
 */
export const createSpaceReader = (timeout = TIMEOUT) => {
  const asked = new Map<string, Promise<SpaceOrReason>>();
  /** Container engines mount single files from the machine's disk. Asked once for each path. */
  const folders = new Set<string>();
  const askSpace = (path: string) =>
    new Promise<SpaceOrReason>((resolve) =>
      statfs(path, (error, blocks) => resolve(error ? { reason: reasonOf(error) } : spaceOf(blocks))),
    );
  const askFolder = (path: string) =>
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
    const answer = (async () => (folders.has(path) ? null : await askFolder(path)) ?? (await askSpace(path)))();
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
