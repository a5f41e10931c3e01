type Waiting = { key: string; perKey: number; start: () => void };

/** A concurrency limit over all keys and for each key, first in, first out. */
export const createKeyedLimiter = (total: number) => {
  const running = new Map<string, number>();
  let sum = 0;
  let waiting: Waiting[] = [];

  const hasRoom = ({ key, perKey }: Pick<Waiting, "key" | "perKey">) => sum < total && (running.get(key) ?? 0) < perKey;

  const take = (key: string) => {
    sum++;
    running.set(key, (running.get(key) ?? 0) + 1);
  };

  const release = (key: string) => {
    sum--;
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    const next = waiting.find(hasRoom);
    if (!next) return;
    waiting = waiting.filter((entry) => entry !== next);
    take(next.key);
    next.start();
  };

  return {
    /** Runs work as soon as the limits allow it. */
    run: async <T>(key: string, perKey: number, work: () => Promise<T>): Promise<T> => {
      if (hasRoom({ key, perKey })) take(key);
      else await new Promise<void>((start) => waiting.push({ key, perKey, start }));
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
};
