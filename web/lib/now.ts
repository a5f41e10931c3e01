import { atom, getDefaultStore } from "jotai";

/** How far the hub's clock is ahead of the browser's, in ms; 0 while they agree. */
const ahead = atom(0);
/** The same, for what is drawn with it: it is known only after an answer of the hub. */
export const aheadAtom = atom((get) => get(ahead));
/** Clocks that differ by less agree: an answer takes time, too. */
const AGREEMENT = 5000;

/** The hub's time at a time of the browser's clock, both in ms since 1970. */
export const toHubTime = (time: number): number => time + getDefaultStore().get(ahead);

/** The hub's time in ms since 1970. Times of the hub are compared with it, because the browser's clock may be wrong. */
export const hubNow = (): number => toHubTime(Date.now());

/**
 * Records the hub's time in an answer to a request that was sent at `sentAt`, by the browser's clock. Differences below
 * `agreement` ms are ignored.
 */
export const noteHubTime = (time: string | number, sentAt: number, agreement = AGREEMENT): void => {
  const difference = new Date(time).getTime() - (sentAt + Date.now()) / 2;
  if (!Number.isFinite(difference)) return;
  const next = Math.abs(difference) < agreement ? 0 : difference;
  // Everything with a time is drawn again, so not for another few milliseconds.
  getDefaultStore().set(ahead, (before) => (next !== 0 && Math.abs(next - before) < agreement ? before : next));
};

/** A time of the browser's clock, refreshed by one timer for all components that show "2 minutes ago". */
const clock = atom(Date.now());
/** The current time of the hub in ms since 1970. Written without a value, it is read from the clock. */
export const nowAtom = atom(
  (get) => get(clock) + get(ahead),
  (get, set, time?: number) => set(clock, time === undefined ? Date.now() : time - get(ahead)),
);
/** Milliseconds between two readings of the clock. */
const TICK = 5000;
nowAtom.onMount = (tick) => {
  // Every component with a time is rendered again, which a page that has just been hydrated does without.
  if (Math.abs(Date.now() - getDefaultStore().get(clock)) >= TICK) tick();
  const timer = setInterval(tick, TICK);
  return () => clearInterval(timer);
};
