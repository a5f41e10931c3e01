/** At most this many within any period of this many seconds. */
export type Limit = { messages: number; seconds: number };

/** Keys whose times are kept. The ones that were used least recently are purged. */
const MAX_KEYS = 10_000;

/** The share of one of `parts` equal users of a limit: less at a time, or once in a longer period. */
const shareOf = ({ messages, seconds }: Limit, parts: number): Limit =>
  messages >= parts
    ? { messages: Math.floor(messages / parts), seconds }
    : { messages: 1, seconds: (seconds * parts) / messages };

/** Counts what was sent under each key within the last period of its limits. */
export const createSlidingWindows = ({ now }: { now: () => number }) => {
  const sent = new Map<number, number[]>();

  const within = (times: readonly number[], { seconds }: Limit): number => {
    const [from, until] = [now() - seconds * 1000, now()];
    // A time in the future was taken before the clock was set back.
    return times.filter((at) => at > from && at <= until).length;
  };

  return {
    /** How much more may be sent under a key now by one of `parts` that share the limits. */
    left: (key: number, limits: readonly Limit[], parts = 1): number => {
      const times = sent.get(key) ?? [];
      const free = limits.map((limit) => shareOf(limit, parts)).map((limit) => limit.messages - within(times, limit));
      return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...free));
    },
    /** Counts an event now under each limit. */
    count: (key: number, limits: readonly Limit[]): void => {
      if (limits.length === 0) return;
      const longest = Math.max(...limits.map(({ messages }) => messages));
      const times = [...(sent.get(key) ?? []), now()].slice(-longest);
      sent.delete(key);
      sent.set(key, times);
      if (sent.size > MAX_KEYS) sent.delete(sent.keys().next().value as number);
    },
    size: () => sent.size,
  };
};

/** Recent events by key. */
export type SlidingWindows = ReturnType<typeof createSlidingWindows>;
