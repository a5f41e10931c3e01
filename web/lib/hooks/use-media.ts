import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query matches now; renders again when that changes. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
};

/** A phone: rows are higher and have a second line. The same width is in rows.css. */
export const PHONE = "(max-width: 39.99rem)";
/** Wide enough for a list beside the page of one of its items. The same width is in beside.css. */
export const BESIDE = "(min-width: 80rem)";
