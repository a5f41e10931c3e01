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

/** An atom that is persisted in local storage as text. Other tabs read it when they are loaded. */
const storedAtom = <T>(key: string, fallback: T, parse: (text: string | null) => T, format: (value: T) => string) => {
  // The atom reads its storage on each mount, so the choice is also held here for browsers that can't store it.
  let chosen = parse(stored(key));
  const choose = (value: T) => {
    chosen = value;
    store(key, format(value));
  };
  const storage = {
    getItem: () => chosen,
    setItem: (_key: string, value: T) => choose(value),
    removeItem: () => choose(fallback),
  };
  return atomWithStorage<T>(key, fallback, storage, { getOnInit: true });
};

/** An atom of one of several values, persisted in local storage. */
export const choiceAtom = <T extends string>(key: string, values: readonly T[], fallback: T) =>
  storedAtom<T>(
    key,
    fallback,
    (text) => values.find((value) => value === text) ?? fallback,
    (value) => value,
  );

/** An atom of any of several values, persisted in local storage; none at first. */
export const choicesAtom = <T extends string>(key: string, values: readonly T[]) =>
  storedAtom<readonly T[]>(
    key,
    [],
    (text) => values.filter((value) => text?.split(" ").includes(value)),
    (chosen) => chosen.join(" "),
  );
