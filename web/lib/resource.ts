import { atom, getDefaultStore, type Setter } from "jotai";

export type Resource<T> = { data: T | undefined; error: unknown; loading: boolean; loadedAt: number | undefined };

type Options<T> = {
  /**
   * The pause between two refreshes, in ms. Null: it is loaded when it is mounted and refreshed by its owner only, for
   * data that changes together with other data that is polled.
   */
  every?: number | null;
  /** While this holds, refresh each second: something on screen is about to change. */
  soon?: (data: T) => boolean;
  /** Tell other atoms what was learned. */
  learned?: (data: T, set: Setter) => void;
  /** What came with the document, and when it was read, in ms: the first refresh is then due after the pause. */
  initial?: { data: T; loadedAt: number };
};

const nothing = { data: undefined, error: undefined, loading: false, loadedAt: undefined };
const forgetters = new Set<() => void>();

/** Whoever signs in next must not see what was loaded for somebody else. */
export const resetResources = () => {
  for (const forget of forgetters) forget();
};

const second = 1000;
const soonAtMost = 45;

/**
 * Polled data. Reading gives the state, writing refreshes, mounting polls until unmounted.
 * A refresh keeps the old data on screen; of two answers, the later question's wins.
 */
export const resource = <T>(
  load: () => Promise<T>,
  { every = 60 * second, soon, learned, initial }: Options<T> = {},
) => {
  const state = atom<Resource<T>>({ ...nothing, ...initial });
  let given = initial;
  let asked = 0;
  let answered = 0;
  let quick = 0;
  let poll: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const scheduleNext = (data: T | undefined) => {
    clearTimeout(timer);
    if (!poll || every === null) return;
    const hurry = data !== undefined && soon?.(data) === true && quick < soonAtMost;
    quick = hurry ? quick + 1 : 0;
    timer = setTimeout(poll, hurry ? second : every);
  };

  forgetters.add(() => {
    answered = asked;
    getDefaultStore().set(state, nothing);
  });

  const self = atom(
    (get) => get(state),
    async (get, set): Promise<Resource<T>> => {
      const turn = ++asked;
      set(state, (before) => ({ ...before, loading: true }));
      try {
        const data = await load();
        if (turn > answered) {
          answered = turn;
          set(state, { data, error: undefined, loading: turn !== asked, loadedAt: Date.now() });
          learned?.(data, set);
        }
      } catch (error) {
        if (turn > answered) {
          answered = turn;
          set(state, (before) => ({ ...before, error, loading: turn !== asked }));
        }
      }
      if (turn === asked) scheduleNext(get(state).data);
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
    if (given) scheduleNext(given.data);
    else ask();
    given = undefined;
    return () => {
      poll = undefined;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  };

  return self;
};

/** One resource for each key, kept so that coming back shows the last data at once. */
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
