import { atom, useAtomValue, useSetAtom, useStore } from "jotai";
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { base, isActive, paths } from "../../paths";

/** `top` is how far the list was scrolled when it was left, and `opened` the address of the page that was opened from it. */
type Shown = { list: string; search: string; top?: number; opened?: string };

const lists: readonly string[] = [paths.monitors, paths.agents];
const shownAtom = atom<Shown>();

/** Remembers the query of a list's address while pages below it are open. */
export function FollowLists() {
  const [path] = useLocation();
  const search = useSearch();
  const setShown = useSetAtom(shownAtom);
  useEffect(() => {
    if (lists.includes(path)) setShown({ list: path, search });
    else setShown((before) => (before && isActive(path, before.list) ? { ...before, opened: path } : undefined));
  }, [path, search, setShown]);
  return null;
}

/** The address of a list, with the query it had when the current page was opened from it. */
export const useBackTo = (list: string): string => {
  const shown = useAtomValue(shownAtom);
  return shown?.list === list ? list + shown.search : list;
};

/** Scrolls a list to where it was when a page was opened from it, and gives the focus to the row of that page. */
export const useLastPlace = (): void => {
  const store = useStore();
  useLayoutEffect(() => {
    const [path, search] = [location.pathname, location.search];
    const last = store.get(shownAtom);
    let frame = 0;
    if (last?.top !== undefined && base + last.list === path && last.search === search)
      // After the page has scrolled to its top, as each new one does.
      frame = requestAnimationFrame(() => {
        scrollTo(0, last.top ?? 0);
        const row = document.querySelector<HTMLElement>(`a.row-link[href="${CSS.escape(base + (last.opened ?? ""))}"]`);
        row?.focus({ preventScroll: true });
      });
    return () => {
      cancelAnimationFrame(frame);
      const top = scrollY;
      store.set(shownAtom, (before) => before && { ...before, top });
    };
  }, [store]);
};
