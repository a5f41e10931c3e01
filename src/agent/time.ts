/** Time as the agent knows it, so that a test can hold it still. */
export type Time = {
  /** Epoch milliseconds of the system clock. */
  now: () => number;
  /** Milliseconds of the monotonic clock. */
  monotonic: () => number;
  /** Resolves early, without an error, when the signal aborts. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

export const systemTime: Time = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end);
    }),
};
