import { atom } from "jotai";

/** How far the hub's clock is ahead of the browser's, in ms; 0 while they agree. */
let ahead = 0;
/** Clocks that differ by less agree: an answer takes time, too. */
const AGREEMENT = 5000;

/** The hub's time in ms since 1970. Times of the hub are compared with it, because the browser's clock may be wrong. */
export const hubNow = (): number => Date.now() + ahead;

/** Notes the hub's time in an answer to a request that was sent at `sentAt`, by the browser's clock. */
export const noteHubTime = (time: string, sentAt: number): void => {
  const difference = Date.parse(time) - (sentAt + Date.now()) / 2;
  if (Number.isFinite(difference)) ahead = Math.abs(difference) < AGREEMENT ? 0 : difference;
};

/** The current time in ms since 1970, for "2 minutes ago": one timer for all components that show it. Written without a value, it is read from the clock. */
const clock = atom(hubNow());
export const nowAtom = atom(
  (get) => get(clock),
  (_get, set, time?: number) => set(clock, time ?? hubNow()),
);
nowAtom.onMount = (tick) => {
  tick();
  const timer = setInterval(tick, 5000);
  return () => clearInterval(timer);
};
