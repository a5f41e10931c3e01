import { useEffect, useRef } from "react";

/** Calls `refresh` when `value` changes, not on mount. */
export const useRefreshOn = (value: unknown, refresh: () => unknown) => {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    void refresh();
  }, [value, refresh]);
};
