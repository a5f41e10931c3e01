import "../../testing/test-dom";

import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { useRef } from "react";
import { setUpPage } from "../../testing/set-up";
import { render } from "../../testing/test-page";
import { useFlash } from "./use-flash";
import { useMoves } from "./use-moves";

setUpPage();

const HEIGHT = 40;
type Item = { id: number; status: string };

/** The animations of the rows, by the id of the row. */
let animations: { id: string | undefined; frames: unknown; duration: number }[] = [];
let isReduced = false;
const { prototype } = HTMLElement;
const height = Object.getOwnPropertyDescriptor(prototype, "offsetHeight");

beforeEach(() => {
  animations = [];
  isReduced = false;
  prototype.animate = mock(function (this: HTMLElement, frames: unknown, { duration }: { duration: number }) {
    animations.push({ id: this.dataset.id, frames, duration });
  }) as unknown as typeof prototype.animate;
  Object.defineProperty(prototype, "offsetHeight", { configurable: true, get: () => HEIGHT });
  const found = window.matchMedia.bind(window);
  const query = spyOn(globalThis, "matchMedia").mockImplementation((text) =>
    text.includes("reduced-motion") ? ({ matches: isReduced } as MediaQueryList) : found(text),
  );
  restore = () => query.mockRestore();
});
let restore = () => {};
afterEach(() => {
  restore();
  Reflect.deleteProperty(prototype, "animate");
  if (height) Object.defineProperty(prototype, "offsetHeight", height);
});

function Row({ id, status }: Item) {
  return (
    <li data-id={id} ref={useFlash<HTMLLIElement>(status)}>
      {status}
    </li>
  );
}

function List({ items, selection = "all" }: { items: readonly Item[]; selection?: string }) {
  const box = useRef<HTMLUListElement>(null);
  useMoves(box, { items, offset: 0, total: items.length }, selection);
  return (
    <ul ref={box}>
      {items.map((item) => (
        <Row key={item.id} {...item} />
      ))}
    </ul>
  );
}

const up = (id: number): Item => ({ id, status: "up" });
const before = [up(1), up(2), up(3)];
const after = [{ id: 3, status: "down" }, up(1), up(2)];

test("a row that goes down flashes red and slides with the others to its new place within 200 ms", () => {
  const { rerender } = render(<List items={before} />);
  expect(animations).toEqual([]);
  rerender(<List items={after} />);
  const slide = (id: string, from: number) => ({
    id,
    frames: [{ transform: `translateY(${from}px)` }, { transform: "none" }],
    duration: 200,
  });
  expect(animations.filter(({ duration }) => duration === 200)).toEqual([
    slide("3", 2 * HEIGHT),
    slide("1", -HEIGHT),
    slide("2", -HEIGHT),
  ]);
  expect(animations.filter(({ duration }) => duration !== 200)).toMatchObject([
    { id: "3", frames: { backgroundColor: ["var(--down-soft)", "transparent"] } },
  ]);
});

test("the colour of a flash is that of the new status", () => {
  const { rerender } = render(<List items={[up(1)]} />);
  for (const status of ["offline", "up", "pending", "pending"]) rerender(<List items={[{ id: 1, status }]} />);
  const colours = animations.map(({ frames }) => (frames as { backgroundColor: string[] }).backgroundColor[0]);
  expect(colours).toEqual(["var(--down-soft)", "var(--up-soft)", "var(--paused-soft)"]);
});

test("rows of another selection appear at their places", () => {
  const { rerender } = render(<List items={before} />);
  rerender(<List items={[up(3), up(1), up(2)]} selection="search" />);
  expect(animations).toEqual([]);
});

test("nothing slides or flashes for viewers who prefer reduced motion", () => {
  isReduced = true;
  const { rerender } = render(<List items={before} />);
  rerender(<List items={after} />);
  expect(animations).toEqual([]);
});
