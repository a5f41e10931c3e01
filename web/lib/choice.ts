import { atom } from "jotai";
import { store, stored } from "./storage";

/** One of a few values, remembered in this browser. */
export const choiceAtom = <T extends string>(key: string, values: readonly T[], fallback: T) => {
  const known = values.find((value) => value === stored(key));
  const value = atom<T>(known ?? fallback);
  return atom(
    (get) => get(value),
    (_get, set, next: T) => {
      store(key, next);
      set(value, next);
    },
  );
};
