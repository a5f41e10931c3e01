/** Milliseconds between the start times of monitors with consecutive ids. */
export const SPREAD = 100;

/** Lateness in milliseconds of a request of a monitor with this interval in seconds. */
export const latenessOf =
  (interval: number) =>
  (monitor: number, at: number): number =>
    (at - ((monitor * SPREAD) % (interval * 1000))) % (interval * 1000);
