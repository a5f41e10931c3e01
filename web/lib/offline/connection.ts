import { atom, getDefaultStore } from "jotai";

type Connection = {
  /** Parts of the page whose code could not be loaded yet. */
  missing: number;
  /** Whether the server has a newer page, and this one could not be reloaded by itself. */
  outdated: boolean;
  /** The time in ms of the data on screen, when the server could not be reached since the page was opened. */
  asOf: number | null;
};

const state = atom<Connection>({ missing: 0, outdated: false, asOf: null });

/** The state of the connection to the server. */
export const connectionAtom = atom((get) => get(state));

export const connection = (): Connection => getDefaultStore().get(state);

const change = (next: Partial<Connection>): void => getDefaultStore().set(state, (now) => ({ ...now, ...next }));

export const addMissing = (count: 1 | -1): void => {
  const missing = connection().missing + count;
  change(missing > 0 ? { missing } : { missing, outdated: false });
};
export const setOutdated = (): void => change({ outdated: true });

/** Notes the time of kept data that is shown in place of an answer, or null when the server has answered. */
export const setAsOf = (asOf: number | null): void => {
  const now = connection().asOf;
  // Of several kept answers the oldest counts.
  const next = asOf === null || now === null ? asOf : Math.min(now, asOf);
  if (next !== now) change({ asOf: next });
};

/** The time in ms of data that is loaded now. */
export const dataTime = (): number => connection().asOf ?? Date.now();

const retries = new Set<() => void>();

/** Calls `again` when the browser is online again, when the viewer wants to, and every `pause` ms. Returns a function that ends it. */
export const onRetry = (again: () => void, pause: number): (() => void) => {
  const timer = setInterval(() => document.hidden || again(), pause);
  retries.add(again);
  window.addEventListener("online", again);
  return () => {
    clearInterval(timer);
    retries.delete(again);
    window.removeEventListener("online", again);
  };
};

/** Repeats everything that waits for the server at once. */
export const retryNow = (): void => {
  for (const again of [...retries]) again();
};
