import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Lists up to this length are rendered as a whole. */
const WHOLE = 60;
/** How far above and below the viewport items are rendered, in pixels. */
const MARGIN = 480;

/** The rendered items change in steps of about this height, in pixels, so that most frames of a scroll change nothing. */
const STEP = 288;

type Measured = { columns: number; height: number; width: number };
/** The rendered items, from the first up to but not including the last, and the heights of those above and below. */
type Shown = { from: number; to: number; above: number; below: number };

/** The number of items in a row, and the distance of two rows. Items are the children that are no spacers. */
const measure = (box: HTMLElement, guess: number): Measured => {
  const items = [...box.children].filter((child) => !(child instanceof HTMLElement && child.dataset.spacer));
  const tops = items.map((item) => item.getBoundingClientRect().top);
  const first = tops[0] ?? 0;
  const next = tops.find((top) => top > first + 1);
  const columns = next === undefined ? 1 : tops.filter((top) => Math.abs(top - first) <= 1).length;
  return { columns, height: next === undefined ? guess : next - first, width: box.clientWidth };
};

const visible = (box: HTMLElement, { columns, height }: Measured, count: number): Shown => {
  const rows = Math.ceil(count / columns);
  const { top } = box.getBoundingClientRect();
  const step = Math.max(1, Math.round(STEP / height));
  const first = step * Math.max(0, Math.floor(Math.min(rows - 1, (-top - MARGIN) / height) / step));
  // Both ends change in the same frame.
  const last = Math.min(rows, first + step * (Math.ceil((innerHeight + 2 * MARGIN) / height / step) + 1));
  return {
    from: first * columns,
    to: Math.min(count, last * columns),
    above: first * height,
    below: (rows - last) * height,
  };
};

/**
 * Renders of a long list only the items near the viewport. `box` is the element whose children are the items, in one or
 * more columns of rows of equal height; `guess` is that height in pixels until it is measured.
 */
export const useWindow = <Box extends HTMLElement>(
  count: number,
  guess: number,
): Shown & { box: RefObject<Box | null> } => {
  const box = useRef<Box>(null);
  const measured = useRef<Measured>(undefined);
  const isWhole = count <= WHOLE;
  // A list that is too short until it is measured would end a scroll to one of its last items before that item.
  const [shown, setShown] = useState<Shown>({
    from: 0,
    to: WHOLE,
    above: 0,
    below: Math.max(0, count - WHOLE) * guess,
  });

  useLayoutEffect(() => {
    if (isWhole) return;
    let frame = 0;
    const update = () => {
      frame = 0;
      if (!box.current) return;
      if (measured.current?.width !== box.current.clientWidth) measured.current = measure(box.current, guess);
      const next = visible(box.current, measured.current, count);
      setShown((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(update);
    };
    update();
    // Captured, because the list may be inside an element that scrolls.
    window.addEventListener("scroll", schedule, { passive: true, capture: true });
    window.addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", schedule, { capture: true });
      window.removeEventListener("resize", schedule);
    };
  }, [count, guess, isWhole]);

  if (isWhole) return { box, from: 0, to: count, above: 0, below: 0 };
  return { box, ...shown, from: Math.min(shown.from, count - 1), to: Math.min(shown.to, count) };
};
