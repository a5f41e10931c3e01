import { type RefObject, useEffect, useRef } from "react";
import { isStill } from "./use-moves";

const FLASH_MS = 1200;

const COLOURS: Record<string, string> = {
  up: "var(--up-soft)",
  down: "var(--down-soft)",
  offline: "var(--down-soft)",
};

/** Marks a row softly for a moment when its status changes. */
export const useFlash = <Row extends HTMLElement>(status: string): RefObject<Row | null> => {
  const row = useRef<Row>(null);
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (isStill()) return;
    const colour = COLOURS[status] ?? "var(--paused-soft)";
    row.current?.animate({ backgroundColor: [colour, "transparent"] }, { duration: FLASH_MS, easing: "ease-in" });
  }, [status]);
  return row;
};
