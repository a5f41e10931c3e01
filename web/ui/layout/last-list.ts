import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { isActive, paths } from "../../paths";

type Shown = { list: string; search: string };

const lists: readonly string[] = [paths.monitors, paths.agents];
const shownAtom = atom<Shown>();

/** Remembers the query of a list's address while pages below it are open. */
export function FollowLists() {
  const [path] = useLocation();
  const search = useSearch();
  const setShown = useSetAtom(shownAtom);
  useEffect(() => {
    if (lists.includes(path)) setShown({ list: path, search });
    else setShown((before) => (before && isActive(path, before.list) ? before : undefined));
  }, [path, search, setShown]);
  return null;
}

/** The address of a list, with the query it had when the current page was opened from it. */
export const useBackTo = (list: string): string => {
  const shown = useAtomValue(shownAtom);
  return shown?.list === list ? list + shown.search : list;
};
