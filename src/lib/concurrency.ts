/** One piece of work at a time, in the order in which they were asked for. One that fails stops none behind it. */
export const createMutex = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
};

/** One run at a time. Whoever asks during one gets the next: this one may have looked before their change. */
export const createCoalescedRunner = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    if (next) return next;
    if (!running) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    next = running.then(() => {
      next = null;
      return run();
    });
    return next;
  };
  return run;
};
