import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { startI18n } from "../../i18n";
import { cleanup, fireEvent, render, screen, userEvent } from "../../testing/test-page";
import { UptimeBar } from "./uptime-bar";

beforeEach(async () => {
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n();
});
afterEach(cleanup);

const slots = () => [...screen.getByRole("img").querySelectorAll("i")].map((slot) => slot.dataset.state);

test("24 slots, the newest on the right, said in a sentence", () => {
  render(<UptimeBar history={["up", "up", "down"]} />);
  expect(slots()).toHaveLength(24);
  expect(slots().slice(-4)).toEqual(["empty", "up", "up", "down"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Last 3 checks: 2 up, 1 down");
});

test("the arrow keys walk from check to check", async () => {
  const beat = { status: "down", timestamp: "2026-01-01T10:00:00Z", response_time: 12.5 };
  render(<UptimeBar history={["up", beat]} count={40} explore />);
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("status").textContent).toContain("Down · 13 ms");
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("status").textContent).toContain("Up");
});

const finger = { pointerType: "touch" };
const mouse = { pointerType: "mouse", clientX: 5 };
/** The bar, as wide as a browser would draw it. */
const bar = () => Object.assign(screen.getByRole("img"), { getBoundingClientRect: () => new DOMRect(0, 0, 10, 10) });
const tip = () => screen.getByRole("img").querySelector(".tip")?.textContent;

/** What a browser tells of a finger that taps. */
const tap = (element: Element) => {
  fireEvent.pointerDown(element, finger);
  fireEvent.pointerUp(element, finger);
  fireEvent.pointerOut(element, finger);
};

test("a tap tells as much as the mouse, and goes on telling when the finger is lifted", () => {
  render(<UptimeBar history={["up"]} count={1} />);
  tap(bar());
  expect(tip()).toBe("Up");
});

test.each([
  ["a tap elsewhere", () => tap(document.body)],
  ["scrolling", () => fireEvent.scroll(document)],
])("%s puts away what a tap told", (_what, act) => {
  render(<UptimeBar history={["up"]} count={1} />);
  tap(bar());
  act();
  expect(tip()).toBeUndefined();
});

test("what the mouse told goes with it, and scrolling leaves what the keyboard told", async () => {
  render(<UptimeBar history={["up"]} count={1} explore />);
  fireEvent.pointerMove(bar(), mouse);
  expect(tip()).toBe("Up");
  fireEvent.pointerOut(bar(), mouse);
  expect(tip()).toBeUndefined();
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  fireEvent.scroll(document);
  expect(tip()).toBe("Up");
});
