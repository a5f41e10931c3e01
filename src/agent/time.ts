/** Time as the agent knows it, so that a test can hold it still. */
export type Time = {
  /** Epoch milliseconds, as the machine's clock is set. */
  now: () => number;
  /** Milliseconds that only ever go forward. */
  monotonic: () => number;
  /** Ends early, without an error, when the signal says so. */
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
