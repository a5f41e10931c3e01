import { atom, getDefaultStore, type Setter } from "jotai";
import { useEffect, useRef } from "react";

export type Resource<T> = { data: T | undefined; error: unknown; loading: boolean; loadedAt: number | undefined };

type Options<T> = {
  /** The polling interval in ms. Null: loaded on mount and refreshed by its users only, for data that changes with other polled data. */
  every?: number | null;
  /** Whether the data is about to change; it is then polled each second, up to 45 times. */
  soon?: (data: T) => boolean;
  /** Updates other atoms from the loaded data. */
  learned?: (data: T, set: Setter) => void;
  /** Data that is part of the document, and the time it was read in ms: the first refresh then follows after `every`. */
  initial?: { data: T; loadedAt: number };
};

const nothing = { data: undefined, error: undefined, loading: false, loadedAt: undefined };
const resets = new Set<() => void>();

/** Drops all loaded data, so that the next user who signs in does not see it. */
export const resetResources = () => {
  for (const reset of resets) reset();
};

const second = 1000;
const MAX_FAST_POLLS = 45;

/**
 * An atom with polled data: reading returns the state, writing refreshes it, and it is polled while mounted. A refresh
 * keeps the old data; of two answers, that of the later request wins.
 */
export const resource = <T>(
  load: () => Promise<T>,
  { every = 60 * second, soon, learned, initial }: Options<T> = {},
) => {
  const state = atom<Resource<T>>({ ...nothing, ...initial });
  let unused = initial;
  let lastSent = 0;
  let lastAnswered = 0;
  let fastPolls = 0;
  let poll: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const scheduleNext = (data: T | undefined) => {
    clearTimeout(timer);
    if (!poll || every === null) return;
    const isFast = data !== undefined && soon?.(data) === true && fastPolls < MAX_FAST_POLLS;
    fastPolls = isFast ? fastPolls + 1 : 0;
    timer = setTimeout(poll, isFast ? second : every);
  };

  resets.add(() => {
    lastAnswered = lastSent;
    getDefaultStore().set(state, nothing);
  });

  const self = atom(
    (get) => get(state),
    async (get, set): Promise<Resource<T>> => {
      const request = ++lastSent;
      set(state, (before) => ({ ...before, loading: true }));
      try {
        const data = await load();
        if (request > lastAnswered) {
          lastAnswered = request;
          set(state, { data, error: undefined, loading: request !== lastSent, loadedAt: Date.now() });
          learned?.(data, set);
        }
      } catch (error) {
        if (request > lastAnswered) {
          lastAnswered = request;
          set(state, (before) => ({ ...before, error, loading: request !== lastSent }));
        }
      }
      if (request === lastSent) scheduleNext(get(state).data);
      return get(state);
    },
  );

  self.onMount = (refresh) => {
    const ask = () => {
      if (!document.hidden) void refresh();
    };
    if (every === null) return ask();
    poll = ask;
    document.addEventListener("visibilitychange", ask);
    if (unused) scheduleNext(unused.data);
    else ask();
    unused = undefined;
    return () => {
      poll = undefined;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  };

  return self;
};

/** One resource for each key, cached so that a page that is opened again shows its last data at once. */
export const resourceFamily = <K extends string | number, T>(load: (key: K) => Promise<T>, options?: Options<T>) => {
  const known = new Map<K, ReturnType<typeof resource<T>>>();
  return (key: K) => {
    const found = known.get(key) ?? resource(() => load(key), options);
    known.set(key, found);
    return found;
  };
};

/** The items of `after`, where each that did not change is the object from `before`: components that show it do not render again. */
export const shareUnchanged = <T extends { id: number }>(before: readonly T[], after: readonly T[]): T[] => {
  const known = new Map(before.map((item) => [item.id, item]));
  return after.map((item) => {
    const same = known.get(item.id);
    return same && JSON.stringify(same) === JSON.stringify(item) ? same : item;
  });
};

/** The maximum number of items that a list loads; the page shows a note when there are more. */
export const MAX_LOADED = 10_000;

/** Loads all pages of a paginated list, up to MAX_LOADED items. Returns the first answer and the items of all pages, without duplicates. */
export const allPages = async <Answer extends { total: number }, Item extends { id: number }>(
  load: (offset: number) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): Promise<{ first: Answer; items: Item[] }> => {
  const first = await load(0);
  const items = new Map(itemsOf(first).map((item) => [item.id, item]));
  let loaded = items.size;
  while (loaded < Math.min(first.total, MAX_LOADED)) {
    const page = itemsOf(await load(loaded));
    if (page.length === 0) break;
    for (const item of page) items.set(item.id, item);
    loaded += page.length;
  }
  return { first, items: [...items.values()] };
};

/** Calls `refresh` when `value` changes, not on mount. */
export const useRefreshOn = (value: unknown, refresh: () => unknown) => {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    void refresh();
  }, [value, refresh]);
};

/** Joins two pages of a list, newest first. An item in both appears once, as in `newer`. */
export const mergeById = <T extends { id: number }>(newer: readonly T[], older: readonly T[]): T[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
