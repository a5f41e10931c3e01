import { atom } from "jotai";

/** The clock, for "2 minutes ago": one timer however many are looking. */
const clock = atom(Date.now());
export const nowAtom = atom(
  (get) => get(clock),
  (_get, set) => set(clock, Date.now()),
);
nowAtom.onMount = (tick) => {
  tick();
  const timer = setInterval(tick, 5000);
  return () => clearInterval(timer);
};
