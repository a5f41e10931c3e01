import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { useEffect } from "react";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen, waitFor } from "../../testing/test-page";
import { useWindow } from "./use-window";

setUpPage();

/** The place of the list in the viewport, in pixels: the document has no layout here. */
let top = 0;

/** The height of the list in pixels, by 100 for each item. */
const heightOf = (list: HTMLElement | null) =>
  list
    ? Number.parseInt(list.style.paddingTop, 10) +
      Number.parseInt(list.style.paddingBottom, 10) +
      100 * list.children.length
    : 0;

function List({ count, onMount }: { count: number; onMount?: (height: number) => void }) {
  const { box, from, to, above, below } = useWindow<HTMLUListElement>(count, 100);
  useEffect(() => {
    onMount?.(heightOf(box.current));
  }, [box, onMount]);
  return (
    <ul
      ref={(element) => {
        box.current = element;
        if (element) element.getBoundingClientRect = () => new DOMRect(0, top, 300, 0);
      }}
      style={{ paddingTop: above, paddingBottom: below }}
    >
      {Array.from({ length: to - from }, (_, index) => from + index).map((place) => (
        <li key={place}>{place}</li>
      ))}
    </ul>
  );
}

const places = () => screen.getAllByRole("listitem").map(({ textContent }) => Number(textContent));
const paddings = () => {
  const { paddingTop, paddingBottom } = screen.getByRole("list").style;
  return [Number.parseInt(paddingTop, 10), Number.parseInt(paddingBottom, 10)];
};
const scrollTo = (place: number) =>
  act(() => {
    top = -place * 100;
    window.dispatchEvent(new Event("scroll"));
  });

test("a short list is rendered as a whole", () => {
  top = 0;
  render(<List count={60} />);
  expect(places()).toHaveLength(60);
  expect(paddings()).toEqual([0, 0]);
});

test("of a long list only the items near the viewport are rendered, between spaces for the others", async () => {
  top = 0;
  render(<List count={10_000} />);
  await waitFor(() => expect(places().length).toBeLessThan(40));
  expect(places()[0]).toBe(0);
  await scrollTo(5000);
  await waitFor(() => expect(places()).toContain(5000));
  const [first = 0, last = 0] = [places()[0], places().at(-1)];
  expect([first < 5000, last > 5008, places().length < 40]).toEqual([true, true, true]);
  expect(paddings()).toEqual([first * 100, (9999 - last) * 100]);
  await scrollTo(9990);
  await waitFor(() => expect(places().at(-1)).toBe(9999));
  expect(paddings()[1]).toBe(0);
});

test("a scroll by less than a step leaves the rendered items as they are", async () => {
  top = 0;
  render(<List count={10_000} />);
  await scrollTo(5000);
  await waitFor(() => expect(places()).toContain(5000));
  const before = places();
  const changes: number[] = [];
  for (let place = 5000; place < 5030; place++) {
    await scrollTo(place);
    await waitFor(() =>
      expect([(places()[0] as number) <= place - 4, (places().at(-1) as number) >= place + 8]).toEqual([true, true]),
    );
    if (places()[0] !== before[0]) changes.push(place);
    before.splice(0, before.length, ...places());
  }
  expect(changes.length).toBeLessThanOrEqual(10);
});

test("a long list has its height at once, so that it can be scrolled to any item", () => {
  top = 0;
  const heights: number[] = [];
  render(<List count={1000} onMount={(height) => heights.push(height)} />);
  expect(heights).toEqual([100_000]);
});

test("a list that becomes shorter than what is above the viewport is rendered to its end", async () => {
  top = 0;
  const { rerender } = render(<List count={10_000} />);
  await scrollTo(5000);
  await waitFor(() => expect(places()).toContain(5000));
  rerender(<List count={100} />);
  await waitFor(() => expect(places().at(-1)).toBe(99));
});
