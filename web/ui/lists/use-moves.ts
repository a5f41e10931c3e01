import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Slice } from "./items";

const MOVE_MS = 200;

/** Whether the viewer asks for less motion. Without animations at all, as in tests, nothing moves either. */
export const isStill = (): boolean =>
  !("animate" in document.body) || matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Slides the rows of a list to their new places when its data change their order. Another `selection` has other rows, which
 * appear at once, as do rows that come from outside the rendered part.
 */
export const useMoves = (
  box: RefObject<HTMLElement | null>,
  { items, offset }: Slice<{ id: number }>,
  selection: string,
): void => {
  const before = useRef<{ selection: string; items: typeof items; places: Map<number, number> }>(undefined);
  useLayoutEffect(() => {
    const last = before.current;
    if (last?.items === items && last.selection === selection) return;
    const places = new Map(items.map(({ id }, place) => [id, place + offset]));
    before.current = { selection, items, places };
    if (!last || last.selection !== selection || isStill()) return;
    for (const row of box.current?.querySelectorAll<HTMLElement>("[data-id]") ?? []) {
      const id = Number(row.dataset.id);
      const [from, to] = [last.places.get(id), places.get(id)];
      if (from === undefined || to === undefined || from === to) continue;
      const distance = (from - to) * row.offsetHeight;
      row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], {
        duration: MOVE_MS,
        easing: "ease-out",
      });
    }
  });
};
