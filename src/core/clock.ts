/** The clock of the hub, which tests replace by a fixed one. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
};

export const systemClock: Clock = { now: Date.now, sleep: (milliseconds) => Bun.sleep(milliseconds) };
