import { atom, useAtomValue, useSetAtom, useStore } from "jotai";
import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { base } from "../../lib/navigation/base-path";
import { isActive } from "../../lib/navigation/linked-screens";
import { paths } from "../../paths";

/** `top` is how far the list was scrolled when it was left, and `opened` the address of the page that was opened from it. */
type Shown = { list: string; search: string; top?: number; opened?: string };

type Store = ReturnType<typeof useStore>;

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

/** How long the row may take to be loaded, in ms. */
const ROW_TIMEOUT = 10_000;
/** Inputs that leave the focus to the user. */
const INPUTS = ["keydown", "pointerdown", "wheel"] as const;

/** The list at the current address, if it was left for a page that was opened from it. */
const lastList = (store: Store): (Shown & { opened: string }) | undefined => {
  const { opened, ...last } = store.get(shownAtom) ?? { list: "", search: "" };
  if (opened === undefined || base + last.list + last.search !== location.pathname + location.search) return undefined;
  return { ...last, opened };
};

/** Whether a list is opened again after a page that was opened from it. It is then scrolled to its last place. */
export const useIsReturn = (): boolean => {
  const store = useStore();
  return useState(() => lastList(store) !== undefined)[0];
};

/**
 * Scrolls a list to where it was when a page was opened from it, and gives the focus to the row of that page. Returns
 * whether it is still to be scrolled.
 */
export const useLastPlace = (): boolean => {
  const store = useStore();
  const [isPending, setPending] = useState(useIsReturn());
  useLayoutEffect(() => {
    const last = lastList(store);
    if (!last) return;
    const { list, search, opened, top = 0 } = last;
    const deadline = performance.now() + ROW_TIMEOUT;
    let frame = 0;
    const stop = () => {
      cancelAnimationFrame(frame);
      for (const input of INPUTS) removeEventListener(input, stop, { capture: true });
    };
    // The row is rendered some frames after the scrolling is noticed, or when that part of the list has been loaded.
    const focus = () => {
      const row = document.querySelector<HTMLElement>(`a.row-link[href="${CSS.escape(base + opened)}"]`);
      if (!row && performance.now() < deadline) {
        frame = requestAnimationFrame(focus);
        return;
      }
      row?.focus({ preventScroll: true });
      stop();
    };
    frame = requestAnimationFrame(() => {
      scrollTo(0, top);
      store.set(shownAtom, { list, search });
      for (const input of INPUTS) addEventListener(input, stop, { capture: true, passive: true });
      focus();
      // The items at that place are rendered in the next frame.
      requestAnimationFrame(() => setPending(false));
    });
    return stop;
  }, [store]);
  return isPending;
};
