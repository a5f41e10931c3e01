import { atom, getDefaultStore, type Setter } from "jotai";
import { useEffect, useRef } from "react";
import { dataTime } from "./offline/connection";

export type Resource<T> = { data: T | undefined; error: unknown; loading: boolean; loadedAt: number | undefined };

type Options<T> = {
  /** The polling interval in ms. Null: loaded on mount and refreshed by its users only, for data that changes with other polled data. */
  every?: number | null;
  /** Whether the data is about to change; it is then polled each second, up to 45 times. */
  pollFast?: (data: T) => boolean;
  /** Whether an error stays: then the data is loaded again only when it is mounted again. */
  isFinal?: (error: unknown) => boolean;
  /** Updates other atoms from the loaded data. */
  onLoaded?: (data: T, set: Setter) => void;
  /** Data that is part of the document, and the time it was read in ms: the first refresh then follows after `every`. */
  initial?: { data: T; loadedAt: number };
};

const nothing = { data: undefined, error: undefined, loading: false, loadedAt: undefined };
const resets = new Set<() => void>();

/** Calls a function when all loaded data is dropped, for what was derived from it. */
export const onReset = (reset: () => void): void => void resets.add(reset);

/** Drops all loaded data, so that the next user who signs in does not see it. */
export const resetResources = () => {
  for (const reset of resets) reset();
};

const second = 1000;
const minute = 60 * second;

/** The resources that are on screen. */
const mounted = new Set<{ schedule: () => void; refresh: () => void }>();
/** Whether changes arrive by a stream. */
export const liveAtom = atom(false);
const isLive = (): boolean => getDefaultStore().get(liveAtom);

/** Notes whether changes arrive by a stream: then data is polled once a minute at most, otherwise as each resource says. */
export const setLive = (now: boolean): void => {
  if (isLive() === now) return;
  getDefaultStore().set(liveAtom, now);
  for (const { schedule } of mounted) schedule();
};

/** Refreshes all data on screen: changes may have been missed. */
export const refreshMounted = (): void => {
  for (const { refresh } of mounted) refresh();
};

/** How long data that was prepared counts as loaded by the component that is mounted then (ms). */
const PREPARED = 5 * second;
const NEVER = Number.NEGATIVE_INFINITY;

const MAX_FAST_POLLS = 45;
/** Edits that are kept for the answer of a request. */
const MAX_EDITS = 1000;

/**
 * An atom with polled data: reading returns the state, writing refreshes it, and it is polled while mounted. A refresh
 * keeps the old data; of two answers, the later request's wins. Besides writing, `edit` changes the loaded data by
 * what a stream has brought, and `refreshSoon` refreshes it while it is mounted, at most once a second. `prepare` loads it for a
 * component that is mounted within 5 seconds, which does not load it again.
 */
export const resource = <T>(
  load: () => Promise<T>,
  { every = minute, pollFast, isFinal, onLoaded, initial }: Options<T> = {},
) => {
  const state = atom<Resource<T>>({ ...nothing, ...initial });
  let preparedAt = initial ? Number.POSITIVE_INFINITY : NEVER;
  let [lastSent, lastAnswered, fastPolls] = [0, 0, 0];
  let poll: (() => void) | undefined;
  let ask: (() => void) | undefined;
  let [timer, soonTimer]: (ReturnType<typeof setTimeout> | undefined)[] = [];
  /** Edits since the request that is under way: its answer may be older than they are. */
  let edits: { at: number; change: (data: T) => T }[] = [];

  const scheduleNext = (data: T | undefined) => {
    clearTimeout(timer);
    if (!poll || every === null) return;
    const isFast = !isLive() && data !== undefined && pollFast?.(data) === true && fastPolls < MAX_FAST_POLLS;
    fastPolls = isFast ? fastPolls + 1 : 0;
    timer = setTimeout(poll, isFast ? second : isLive() ? Math.max(every, minute) : every);
  };

  resets.add(() => {
    lastAnswered = lastSent;
    clearTimeout(soonTimer);
    soonTimer = undefined;
    preparedAt = NEVER;
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
          const edited = edits.filter(({ at }) => at >= request).reduce<T>((now, { change }) => change(now), data);
          edits = edits.filter(({ at }) => at > request);
          set(state, { data: edited, error: undefined, loading: request !== lastSent, loadedAt: dataTime() });
          onLoaded?.(edited, set);
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

  const edit = (change: (data: T) => T): void => {
    if (lastSent === lastAnswered) edits = [];
    else edits = [...edits, { at: lastSent, change }].slice(-MAX_EDITS);
    getDefaultStore().set(state, (before) =>
      before.data === undefined ? before : { ...before, data: change(before.data) },
    );
  };

  const refreshSoon = (): void => {
    if (!ask || soonTimer) return;
    soonTimer = setTimeout(() => {
      soonTimer = undefined;
      ask?.();
    }, second);
  };

  self.onMount = (refresh) => {
    const start = () => {
      if (!document.hidden) void refresh();
    };
    const askNow = () => {
      if (!isFinal?.(getDefaultStore().get(state).error)) start();
    };
    ask = askNow;
    const entry = { refresh: askNow, schedule: () => scheduleNext(getDefaultStore().get(state).data) };
    if (every !== null) {
      poll = askNow;
      mounted.add(entry);
      document.addEventListener("visibilitychange", askNow);
    }
    if (Date.now() - preparedAt < PREPARED) entry.schedule();
    else start();
    preparedAt = NEVER;
    return () => {
      mounted.delete(entry);
      ask = poll = undefined;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", askNow);
    };
  };

  const prepare = async (): Promise<void> => {
    preparedAt = Date.now();
    await getDefaultStore().set(self);
  };
  return Object.assign(self, { edit, refreshSoon, prepare });
};

/** One resource for each key, cached so that a page that is opened again shows its last data at once. */
export const resourceFamily = <K extends string | number, T>(load: (key: K) => Promise<T>, options?: Options<T>) => {
  const resources = new Map<K, ReturnType<typeof resource<T>>>();
  const family = (key: K) => {
    const entry = resources.get(key) ?? resource(() => load(key), options);
    resources.set(key, entry);
    return entry;
  };
  return Object.assign(family, {
    /** The resource of a key that was used before. */
    known: (key: K) => resources.get(key),
    /** Refreshes those on screen. */
    refreshSoon: (): void => {
      for (const { refreshSoon } of resources.values()) refreshSoon();
    },
  });
};

/** The items of `after`, where each that did not change is the object from `before`: components that show it do not render again. */
export const shareUnchanged = <T extends { id: number }>(before: readonly T[], after: readonly T[]): T[] => {
  const itemById = new Map(before.map((item) => [item.id, item]));
  return after.map((item) => {
    const same = itemById.get(item.id);
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
  const newIds = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !newIds.has(id))];
};
