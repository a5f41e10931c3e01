import { type KeyboardEvent, type PointerEvent, useEffect, useState } from "react";

/**
 * The mark of `count` in a row that is pointed at by mouse, finger or arrow keys: its place from the left, or undefined. A
 * choice by finger stays after it is lifted, until the next touch elsewhere or scrolling.
 */
export const useSlotPointer = (count: number) => {
  const [chosen, setChosen] = useState<number>();
  const [touched, setTouched] = useState(false);
  const clear = () => setChosen(undefined);

  useEffect(() => {
    if (!touched) return;
    const dismiss = () => {
      setTouched(false);
      setChosen(undefined);
    };
    window.addEventListener("pointerdown", dismiss, true);
    window.addEventListener("scroll", dismiss, true);
    return () => {
      window.removeEventListener("pointerdown", dismiss, true);
      window.removeEventListener("scroll", dismiss, true);
    };
  }, [touched]);

  const choose = (place: number) => setChosen(Math.min(count - 1, Math.max(0, place)));
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return clear();
    const now = chosen ?? count;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };

  return {
    chosen,
    /** Handlers for the element that contains the marks. */
    pointer: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        setTouched(event.pointerType === "touch");
        point(event);
      },
      onPointerMove: point,
      onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => {
        if (pointerType !== "touch") clear();
      },
      onBlur: clear,
    },
    onKeyDown,
  };
};

/** The tooltip's `left`: over its mark, but not beyond the ends of the bar. `half` is half of the tooltip's maximum width. */
export const tipPlace = (chosen: number, count: number, half = "5.5rem"): string =>
  `clamp(${half}, ${((chosen + 0.5) / count) * 100}%, calc(100% - ${half}))`;
