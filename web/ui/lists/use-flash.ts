import { type RefObject, useEffect, useRef } from "react";
import { isStill } from "./use-moves";

const FLASH_MS = 1200;

/** Marks a row softly for a moment when its status changes. */
export const useFlash = <Row extends HTMLElement>(status: string): RefObject<Row | null> => {
  const row = useRef<Row>(null);
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (isStill()) return;
    const from = status === "down" ? "var(--down-soft)" : status === "up" ? "var(--up-soft)" : "var(--paused-soft)";
    row.current?.animate({ backgroundColor: [from, "transparent"] }, { duration: FLASH_MS, easing: "ease-in" });
  }, [status]);
  return row;
};
