import { atom, getDefaultStore } from "jotai";

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

/** The key of the address that ends the session at the issuer or the proxy, where the user signed in. */
export const SIGN_OUT_URL = "signOutUrl";
/** The key in the tab: the user has just signed out, and is not signed in again by the proxy at once. */
export const SIGNED_OUT = "signedOut";

/** How often all atoms were read again. */
const rereads = atom(0);

/** Reads all atoms that are persisted here again, after local storage was cleared. */
export const rereadStorage = (): void => getDefaultStore().set(rereads, (count) => count + 1);

/** An atom that is persisted in local storage as text. Other tabs read it when they are loaded. */
const storedAtom = <T>(key: string, parse: (text: string | null) => T, format: (value: T) => string) => {
  const read = atom((get) => {
    get(rereads);
    return atom(parse(stored(key)));
  });
  return atom(
    (get) => get(get(read)),
    (get, set, value: T) => {
      store(key, format(value));
      set(get(read), value);
    },
  );
};

/** An atom of one of several values, persisted in local storage. */
export const choiceAtom = <T extends string>(key: string, values: readonly T[], fallback: T) =>
  storedAtom<T>(
    key,
    (text) => values.find((value) => value === text) ?? fallback,
    (value) => value,
  );

/** An atom of any of several values, persisted in local storage; none at first. */
export const choicesAtom = <T extends string>(key: string, values: readonly T[]) =>
  storedAtom<readonly T[]>(
    key,
    (text) => values.filter((value) => text?.split(" ").includes(value)),
    (chosen) => chosen.join(" "),
  );

/** The key of the chosen team, in the storage of the tab and as the default of new tabs. */
const TEAM = "team";

/** The id of the team that this tab shows, which is at first the last one that was chosen in any tab; empty for all. */
export const chosenTeam = (): string => storedInTab(TEAM) ?? stored(TEAM) ?? "";

/** Chooses the team that this tab shows from its next load on. */
export const chooseTeam = (id: string): void => {
  storeInTab(TEAM, id);
  store(TEAM, id || null);
};

/** Stores the chosen team of this tab; other tabs keep theirs. */
export const keepTeam = (id: string): void => storeInTab(TEAM, id);

/** Calls about the user, which get no team. */
const OWN = /\/api\/(auth|users|keys|teams|invitations)\b/;

/** The address of a call, about the chosen team unless it is about the user. */
export const ofTeam = (address: string | URL): URL => {
  const url = new URL(address, document.baseURI);
  const team = chosenTeam();
  if (team && !OWN.test(url.pathname)) url.searchParams.set("team", team);
  return url;
};
