import { atom, useAtomValue, useSetAtom, useStore } from "jotai";
import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { base, isActive, paths } from "../../paths";

/** `top` is how far the list was scrolled when it was left, and `opened` the address of the page that was opened from it. */
type Shown = { list: string; search: string; top?: number; opened?: string };

const lists: readonly string[] = [paths.monitors, paths.agents];
const shownAtom = atom<Shown>();

/** How far the list on screen is scrolled. */
let listTop = 0;

/** Remembers the query and the place of a list while pages below it are open. */
export function FollowLists() {
  const [path] = useLocation();
  const search = useSearch();
  const setShown = useSetAtom(shownAtom);

  useEffect(() => {
    // Once the address is another one, the page moves by itself.
    const follow = () => {
      if (lists.includes(location.pathname.slice(base.length))) listTop = scrollY;
    };
    addEventListener("scroll", follow, { passive: true });
    return () => removeEventListener("scroll", follow);
  }, []);

  useEffect(() => {
    if (lists.includes(path))
      setShown((before) => (before?.list === path && before.search === search ? before : { list: path, search }));
    else
      setShown((before) => {
        if (!before || !isActive(path, before.list)) return undefined;
        return { ...before, opened: path, top: before.opened === undefined ? listTop : before.top };
      });
  }, [path, search, setShown]);
  return null;
}

/** The address of a list, with the query it had when the current page was opened from it. */
export const useBackTo = (list: string): string => {
  const shown = useAtomValue(shownAtom);
  return shown?.list === list ? list + shown.search : list;
};

const FRAMES = 20;

/** Scrolls a list to where it was when a page was opened from it, and gives the focus to the row of that page. */
export const useLastPlace = (): void => {
  const store = useStore();
  useLayoutEffect(() => {
    const last = store.get(shownAtom);
    if (last?.opened === undefined || base + last.list + last.search !== location.pathname + location.search) return;
    const { list, search, opened, top = 0 } = last;
    // The row is rendered some frames after the scrolling is noticed.
    const focus = (tries: number) => {
      const row = document.querySelector<HTMLElement>(`a.row-link[href="${CSS.escape(base + opened)}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (tries > 0) frame = requestAnimationFrame(() => focus(tries - 1));
    };
    let frame = requestAnimationFrame(() => {
      scrollTo(0, top);
      store.set(shownAtom, { list, search });
      focus(FRAMES);
    });
    return () => cancelAnimationFrame(frame);
  }, [store]);
};
