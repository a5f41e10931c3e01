/** Time as the rest of the product knows it, so that a test can hold it still. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
};

export const systemClock: Clock = { now: Date.now, sleep: (milliseconds) => Bun.sleep(milliseconds) };
