/** How far apart the times of two monitors with neighbouring ids are, in milliseconds. */
export const SPREAD = 100;

/** How long after its time a monitor of so many seconds' interval was asked, in milliseconds. */
export const latenessOf =
  (interval: number) =>
  (monitor: number, at: number): number =>
    (at - ((monitor * SPREAD) % (interval * 1000))) % (interval * 1000);
