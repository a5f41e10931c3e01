import { atom } from "jotai";

/** The current time in ms since 1970, for "2 minutes ago": one timer for all components that show it. Written without a value, it is read from the clock. */
const clock = atom(Date.now());
export const nowAtom = atom(
  (get) => get(clock),
  (_get, set, time?: number) => set(clock, time ?? Date.now()),
);
nowAtom.onMount = (tick) => {
  tick();
  const timer = setInterval(tick, 5000);
  return () => clearInterval(timer);
};
