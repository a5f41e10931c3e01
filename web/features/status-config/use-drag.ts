import { useEffect, useRef, useState } from "react";
import { type Item, moveItem, type Part, type Place, placeOf, stepGroup } from "./arrangement";

/** The dragged item, or the place of the dragged group. */
type Dragged = { item: Item } | { group: number };

/** Dragging scrolls within this distance from the ends of the window, by this step (px). */
const EDGE = 90;
const SCROLL = 14;

/** The destination of an item that is dragged over a row: past the heading of its own group, the end of the previous group. */
const targetOf = (parts: readonly Part[], from: Place, over: HTMLElement): Place => {
  const to = { part: Number(over.dataset.part), place: Number(over.dataset.place) };
  const above = parts[from.part - 1];
  const isOwnHeading = over.classList.contains("layout-group") && to.part === from.part && from.place === 0;
  return isOwnHeading && above ? { part: from.part - 1, place: above.items.length } : to;
};

/** The arrangement once an item is dragged to a point; undefined if nothing changes. */
const dragItem = (parts: readonly Part[], item: Item, { clientX, clientY }: PointerEvent): Part[] | undefined => {
  const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-part]");
  const from = placeOf(parts, item);
  if (!over || !from) return undefined;
  const to = targetOf(parts, from, over);
  return to.part === from.part && to.place === from.place ? undefined : moveItem(parts, from, to);
};

/** The middle of a group with its items, in px from the top of the window; undefined for the rest. */
const middleOf = (parts: readonly Part[], part: number): number | undefined => {
  if (typeof parts[part]?.name !== "string") return undefined;
  const rows = [...document.querySelectorAll(`[data-part="${part}"]`)].map((row) => row.getBoundingClientRect());
  return ((rows[0]?.top ?? 0) + (rows.at(-1)?.bottom ?? 0)) / 2;
};

/** The direction of a dragged group: it moves past a neighbour whose middle the pointer has passed. */
const stepOf = (parts: readonly Part[], group: number, clientY: number): -1 | 0 | 1 => {
  const [above, below] = [middleOf(parts, group - 1), middleOf(parts, group + 1)];
  if (above !== undefined && clientY < above) return -1;
  return below !== undefined && clientY > below ? 1 : 0;
};

/** Drags items and groups: their neighbours move as the pointer passes. */
export const useDrag = (read: () => readonly Part[], write: (parts: Part[]) => void) => {
  const [dragged, setDragged] = useState<Dragged>();
  const now = useRef({ read, write });
  useEffect(() => {
    now.current = { read, write };
  });
  useEffect(() => {
    if (!dragged) return;
    const onMove = (event: PointerEvent) => {
      const { clientY } = event;
      if (clientY < EDGE) scrollBy(0, -SCROLL);
      if (clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
      const parts = now.current.read();
      if ("item" in dragged) {
        const next = dragItem(parts, dragged.item, event);
        if (next) now.current.write(next);
        return;
      }
      const step = stepOf(parts, dragged.group, clientY);
      if (step === 0) return;
      now.current.write(stepGroup(parts, dragged.group, step));
      setDragged({ group: dragged.group + step });
    };
    const stop = () => setDragged(undefined);
    const ends = ["pointerup", "pointercancel"] as const;
    addEventListener("pointermove", onMove);
    for (const end of ends) addEventListener(end, stop);
    return () => {
      removeEventListener("pointermove", onMove);
      for (const end of ends) removeEventListener(end, stop);
    };
  }, [dragged]);
  return { dragged, start: setDragged };
};
