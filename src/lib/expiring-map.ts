/** How long an entry is kept, in milliseconds, and what it counts towards the limit. */
type Keeping = { lifetime: number; weight?: number };

/**
 * A map whose entries expire. The weights of its entries (1 each by default) are together at most `limit`:
 * when it is full, the entries that were set first are dropped. The newest entry is always kept. Times are in epoch
 * milliseconds.
 */
export const createExpiringMap = <K, V>(limit: number) => {
  type Entry = { value: V; setAt: number; until: number; weight: number };
  const entries = new Map<K, Entry>();
  let total = 0;
  // One iterator for all calls, because a new one passes all deleted entries before it reaches the oldest.
  let order = entries.entries();
  let oldest: [K, Entry] | undefined;

  const drop = (key: K): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };

  const findOldest = (): [K, Entry] | undefined => {
    if (entries.size === 0) oldest = undefined;
    while (entries.size > 0 && (oldest === undefined || entries.get(oldest[0]) !== oldest[1])) {
      oldest = order.next().value;
      if (oldest === undefined) order = entries.entries();
    }
    return oldest;
  };

  return {
    get: (key: K, now: number): V | undefined => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // A clock that was set back must not keep an entry for longer than it was meant to be kept.
      if (now >= entry.setAt && now < entry.until) return entry.value;
      drop(key);
      return undefined;
    },
    set: (key: K, value: V, now: number, { lifetime, weight = 1 }: Keeping): void => {
      drop(key);
      for (let first = findOldest(); first !== undefined; first = findOldest()) {
        const { setAt, until } = first[1];
        if (total + weight <= limit && now >= setAt && now < until) break;
        drop(first[0]);
      }
      entries.set(key, { value, setAt: now, until: now + lifetime, weight });
      total += weight;
    },
    delete: drop,
    size: (): number => entries.size,
  };
};
