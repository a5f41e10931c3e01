import { useEffect, useRef } from "react";

/** Refreshes when something else on the page has moved on. */
export const useRefreshOn = (moved: unknown, refresh: () => unknown) => {
  const before = useRef(moved);
  useEffect(() => {
    if (before.current === moved) return;
    before.current = moved;
    void refresh();
  }, [moved, refresh]);
};
