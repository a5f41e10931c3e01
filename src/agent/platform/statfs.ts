import { statfs } from "node:fs";

type Blocks = { bsize: number; frsize?: number; blocks: number; bfree: number; bavail: number };
/** Bytes, as `df -B1` shows them. */
export type Space = { used: number; available: number };

export const spaceOf = ({ bsize, frsize, blocks, bfree, bavail }: Blocks): Space => {
  const unit = frsize || bsize;
  return { used: (blocks - bfree) * unit, available: Math.max(0, bavail) * unit };
};

/** Milliseconds. A disk that is asleep needs some; a server that went away would never answer. */
const PATIENCE = 3000;

/**
 * Asks each path how full its filesystem is, all at once. Null for one that does not answer in time: it is not asked
 * again before it answers, since each question holds a thread.
 */
export const createSpaceReader = (patience = PATIENCE) => {
  const asked = new Map<string, Promise<Space | null>>();
  const ask = (path: string): Promise<Space | null> => {
    const asking = asked.get(path);
    if (asking) return asking;
    const answer = new Promise<Space | null>((resolve) =>
      statfs(path, (error, blocks) => {
        asked.delete(path);
        resolve(error ? null : spaceOf(blocks));
      }),
    );
    asked.set(path, answer);
    return answer;
  };
  return async (paths: string[]): Promise<Map<string, Space | null>> => {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), patience);
    const entries = await Promise.all(
      paths.map(async (path) => [path, await Promise.race([ask(path), late.promise])] as const),
    );
    clearTimeout(timer);
    return new Map(entries);
  };
};
