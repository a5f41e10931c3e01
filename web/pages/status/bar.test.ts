import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { explorableBar } from "./bar";

const slots = [{ tone: "up", text: "Monday" }];
let bar: HTMLElement;
let other: HTMLElement;

beforeEach(() => {
  [bar, other] = ["one", "two"].map((id) => {
    const drawn = explorableBar({ id, title: id, sentence: "", slots, className: "" });
    return Object.assign(drawn, { getBoundingClientRect: () => new DOMRect(0, 0, 10, 10) });
  }) as [HTMLElement, HTMLElement];
  document.body.replaceChildren(bar, other);
});
afterEach(() => document.body.replaceChildren());

const said = (element: HTMLElement) => {
  const tip = element.querySelector<HTMLElement>(".tip");
  return tip?.hidden ? undefined : tip?.textContent;
};
const point = (element: HTMLElement, type: string, pointerType: string) =>
  element.dispatchEvent(new PointerEvent(type, { pointerType, bubbles: true, clientX: 5 }));

/** What a browser tells of a finger that taps. */
const tap = (element: HTMLElement) => {
  for (const type of ["pointerdown", "pointerup", "pointerleave"]) point(element, type, "touch");
};

test("a tap tells as much as the mouse, and goes on telling when the finger is lifted", () => {
  tap(bar);
  expect(said(bar)).toBe("Monday");
});

test("a tap elsewhere puts it away, and a tap on another bar moves it there", () => {
  tap(bar);
  tap(other);
  expect([said(bar), said(other)]).toEqual([undefined, "Monday"]);
  tap(document.body);
  expect(said(other)).toBeUndefined();
});

test("scrolling puts away what a tap told", () => {
  tap(bar);
  document.dispatchEvent(new Event("scroll", { bubbles: true }));
  expect(said(bar)).toBeUndefined();
});

test("what the mouse told goes with it", () => {
  point(bar, "pointermove", "mouse");
  expect(said(bar)).toBe("Monday");
  point(bar, "pointerleave", "mouse");
  expect(said(bar)).toBeUndefined();
});
