import { rateLimited } from "./errors";

/** Costly calls of one user that wait while one runs. */
const WAITING = 2;
/** Retry-After of a refused call in seconds. */
const RETRY_AFTER = 2;

/**
 * Runs the calls that cost much, such as exports and previews, one at a time for each user: a user who sends many does
 * not delay the calls of others.
 */
export const createCostlyCalls = () => {
  /** By user, while a call of theirs runs: how the next ones start. Visitors of one link are as one user, with a name for it. */
  const waiting = new Map<number | string, (() => void)[]>();

  /**
   * Waits until a call of a user may run. It counts as running until the returned function is called.
   * @throws {AppError} rate_limited, when two wait already
   */
  const enter = async (userId: number | string): Promise<() => void> => {
    const line = waiting.get(userId);
    if (line && line.length >= WAITING) throw rateLimited(RETRY_AFTER);
    if (line) await new Promise<void>((start) => line.push(start));
    else waiting.set(userId, []);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = waiting.get(userId)?.shift();
      if (next) next();
      else waiting.delete(userId);
    };
  };

  return {
    enter,
    /**
     * Runs a call of a user, after those that run and wait.
     * @throws {AppError} rate_limited, when two wait already
     */
    run: async <T>(userId: number | string, work: () => Promise<T>): Promise<T> => {
      const leave = await enter(userId);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    /** The number of users with a call that runs. */
    size: () => waiting.size,
  };
};

export type CostlyCalls = ReturnType<typeof createCostlyCalls>;
