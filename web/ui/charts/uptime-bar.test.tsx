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

test("the uptime bar has 24 slots, the newest on the right, and a summary as its label", () => {
  render(<UptimeBar history={["up", "up", "down"]} />);
  expect(slots()).toHaveLength(24);
  expect(slots().slice(-4)).toEqual(["empty", "up", "up", "down"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Last 3 checks: 2 up, 1 down");
});

test("the arrow keys move between the checks of an uptime bar", async () => {
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
/** The bar, with a width as in a browser. */
const bar = () => Object.assign(screen.getByRole("img"), { getBoundingClientRect: () => new DOMRect(0, 0, 10, 10) });
const tooltip = () => screen.getByRole("img").querySelector(".tip")?.textContent;

/** The events that a browser fires for a tap. */
const tap = (element: Element) => {
  fireEvent.pointerDown(element, finger);
  fireEvent.pointerUp(element, finger);
  fireEvent.pointerOut(element, finger);
};

test("a tap shows the tooltip of a check and keeps it after the finger is lifted", () => {
  render(<UptimeBar history={["up"]} count={1} />);
  tap(bar());
  expect(tooltip()).toBe("Up");
});

test.each([
  ["a tap elsewhere", () => tap(document.body)],
  ["scrolling", () => fireEvent.scroll(document)],
])("%s closes the tooltip of a tap", (_what, act) => {
  render(<UptimeBar history={["up"]} count={1} />);
  tap(bar());
  act();
  expect(tooltip()).toBeUndefined();
});

test("the tooltip of the mouse closes when it leaves the bar, and that of the keyboard stays while scrolling", async () => {
  render(<UptimeBar history={["up"]} count={1} explore />);
  fireEvent.pointerMove(bar(), mouse);
  expect(tooltip()).toBe("Up");
  fireEvent.pointerOut(bar(), mouse);
  expect(tooltip()).toBeUndefined();
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  fireEvent.scroll(document);
  expect(tooltip()).toBe("Up");
});
