/** Milliseconds within which trivial work has to be done. */
const LIMIT = 1000;

/** A small task of the thread pool, which password hashing, compression and file access also use. */
const poolWork = (): Promise<unknown> => crypto.subtle.digest("SHA-256", new Uint8Array(1));

/**
 * Whether this process can do trivial work within a second: a task of the thread pool, and a turn of the event loop.
 * Callers share one task, so that health checks do not add to the load.
 */
export const createLiveness = (
  work: () => Promise<unknown> = poolWork,
  now: () => number = () => performance.now(),
) => {
  let running: { startedAt: number; done: Promise<boolean> } | undefined;
  const start = () => {
    const startedAt = now();
    const done = work()
      .then(() => now() - startedAt <= LIMIT)
      .finally(() => {
        running = undefined;
      });
    return { startedAt, done };
  };
  return async (): Promise<boolean> => {
    running ??= start();
    const left = Math.max(0, LIMIT - (now() - running.startedAt));
    const timeout = new Promise<boolean>((resolve) =>
      AbortSignal.timeout(left).addEventListener("abort", () => resolve(false), { once: true }),
    );
    return Promise.race([running.done, timeout]);
  };
};
