import { useDeferredValue } from "react";

/** Rows that fill the viewport of a common screen. */
const FIRST_ROWS = 20;

/**
 * The number of rows to render of `count`: when a list appears, only those that are likely visible, and then, after they are
 * painted, all of them.
 */
export const useFirstRows = (count: number): number => {
  const isPainted = useDeferredValue(true, false);
  return isPainted ? count : Math.min(count, FIRST_ROWS);
};
