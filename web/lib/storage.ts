import { atomWithStorage } from "jotai/utils";

/** The result of an access to the browser's storage, or `otherwise` where that is full, forbidden or absent. */
const attempt = <T>(access: () => T, otherwise: T): T => {
  try {
    return access();
  } catch {
    return otherwise;
  }
};

/** Reads local storage. */
export const stored = (key: string): string | null => attempt(() => localStorage.getItem(key), null);

/** Writes local storage, or removes the key for null. Does nothing where storage is full or forbidden. */
export const store = (key: string, value: string | null): void =>
  attempt(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value)), undefined);

/** Reads session storage, which lasts as long as the browser tab and ends with the session. */
export const storedInTab = (key: string): string | null => attempt(() => sessionStorage.getItem(key), null);

/** Writes session storage. */
export const storeInTab = (key: string, value: string): void =>
  attempt(() => sessionStorage.setItem(key, value), undefined);

/** Empties session storage. */
export const clearTab = (): void => attempt(() => sessionStorage.clear(), undefined);

/** An atom of one of several values, persisted in local storage. Other tabs read it when they are loaded. */
export const choiceAtom = <T extends string>(key: string, values: readonly T[], fallback: T) => {
  // The atom reads its storage on each mount, so the choice is also held here for browsers that can't store it.
  let chosen = values.find((value) => value === stored(key)) ?? fallback;
  const choose = (value: T) => {
    chosen = value;
    store(key, value);
  };
  const storage = {
    getItem: () => chosen,
    setItem: (_key: string, value: T) => choose(value),
    removeItem: () => choose(fallback),
  };
  return atomWithStorage<T>(key, fallback, storage, { getOnInit: true });
};
