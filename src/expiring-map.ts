/**
 * A map whose entries expire, with at most `limit` of them: when it is full, the entry that was set first is dropped.
 * Times are in epoch milliseconds.
 */
export const createExpiringMap = <K, V>(limit: number) => {
  const entries = new Map<K, { value: V; setAt: number; until: number }>();

  return {
    get: (key: K, now: number): V | undefined => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // A clock that was set back must not keep an entry for longer than it was meant to be kept.
      if (now >= entry.setAt && now < entry.until) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key: K, value: V, now: number, lifetime: number): void => {
      entries.delete(key);
      if (entries.size >= limit) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      }
      entries.set(key, { value, setAt: now, until: now + lifetime });
    },
    delete: (key: K): void => void entries.delete(key),
    size: (): number => entries.size,
  };
};
