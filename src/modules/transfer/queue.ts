import { setImmediate } from "node:timers/promises";
import { AppError } from "../../core/errors";
import { createMutex } from "../../lib/concurrency";

/** Imports of one user that run or wait. Each holds a body of up to 1 MiB. */
const MAX_QUEUED = 10;

/**
 * Runs imports one at a time. Each user has at most one in the common queue, so another user's import waits for one of
 * theirs, however many they send.
 * @throws {AppError} conflict, when too many of the user's are waiting
 */
export const createImportQueue = () => {
  const everyone = createMutex();
  const users = new Map<number, { queue: ReturnType<typeof createMutex>; queued: number }>();
  return async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
    const user = users.get(userId) ?? { queue: createMutex(), queued: 0 };
    if (user.queued >= MAX_QUEUED)
      throw new AppError("conflict", { reason: "Too many of your imports are waiting. Try again when they are done." });
    users.set(userId, user);
    user.queued++;
    try {
      return await user.queue(() =>
        everyone(async () => {
          // With SQLite an import never yields, so other requests are answered between two of them.
          await setImmediate();
          return work();
        }),
      );
    } finally {
      if (--user.queued === 0) users.delete(userId);
    }
  };
};
