import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fireEvent, render, screen, userEvent } from "../../testing/test-page";
import { PulseBar } from "./pulse-bar";

setUpPage();

const up = (timestamp?: string, response_time?: number) => ({ status: "up", timestamp, response_time });
const down = { status: "down", timestamp: "2026-01-01T10:00:00Z", response_time: 12.5 };
const label = () => screen.getByRole("img").getAttribute("aria-label");
/** The number of slots in a state. A failure is drawn in two parts. */
const slots = (state: string) =>
  (document.querySelector(`path.${state}`)?.getAttribute("d")?.split("Z").length ?? 1) - 1;

test("a pulse bar has 24 slots, the newest on the right, and a sentence as its label", () => {
  render(<PulseBar history={[up(undefined, 80), up(undefined, 90), down]} />);
  expect([slots("empty"), slots("up"), slots("down")]).toEqual([21, 2, 2]);
  expect(document.querySelector("path.down")?.getAttribute("d")).toStartWith("M23.24 ");
  expect(label()).toBe("Last 3 checks: 2 up, 1 down, typically 80 ms");
});

test("the bar of a paused monitor is hollow, and says so", () => {
  render(<PulseBar history={[up()]} paused />);
  expect(document.querySelector(".pulse-bar.paused")).toBeTruthy();
  expect(label()).toBe("Paused, Last 1 checks: 1 up, 0 down");
});

test("a bar ends with the time since when nothing is known", async () => {
  render(<PulseBar history={[up(), down]} count={4} unknown={{ since: "2026-01-01T11:00:00" }} explore />);
  expect([slots("empty"), slots("up"), slots("down"), slots("unknown")]).toEqual([1, 1, 2, 1]);
  expect(label()).toBe("Last 2 checks: 1 up, 1 down, then unknown");
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("status").textContent).toBe("Jan 1, 2026, 11:00:00 · Unknown");
});

test("the ends are the time of the first check and now, or of a paused monitor's last check", () => {
  const ends = () => [...document.querySelectorAll(".pulse-ends span")].map(({ textContent }) => textContent);
  const [first, last] = ["2026-01-01T10:00:00", "2026-01-02T11:30:00"];
  const { rerender } = render(<PulseBar history={[up(first), up(last)]} ends />);
  expect(ends()).toEqual(["Jan 1, 10:00", "Now"]);
  rerender(<PulseBar history={[up(first), up(last)]} ends paused />);
  expect(ends()).toEqual(["Jan 1, 10:00", "Jan 2, 11:30"]);
  rerender(<PulseBar history={[]} ends />);
  expect(ends()).toEqual([]);
});

test("the arrow keys move between the checks of a pulse bar", async () => {
  render(<PulseBar history={[up(), down]} count={40} explore />);
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
const tooltip = () => document.querySelector(".tip")?.textContent;

/** The events that a browser fires for a tap. */
const tap = (element: Element) => {
  fireEvent.pointerDown(element, finger);
  fireEvent.pointerUp(element, finger);
  fireEvent.pointerOut(element, finger);
};

test("a tap shows the tooltip of a check and keeps it after the finger is lifted", () => {
  render(<PulseBar history={[up()]} count={1} />);
  tap(bar());
  expect(tooltip()).toBe("Up");
});

test.each([
  ["a tap elsewhere", () => tap(document.body)],
  ["scrolling", () => fireEvent.scroll(document)],
])("%s closes the tooltip of a tap", (_what, act) => {
  render(<PulseBar history={[up()]} count={1} />);
  tap(bar());
  act();
  expect(tooltip()).toBeUndefined();
});

test("the tooltip of the mouse closes when it leaves the bar, and that of the keyboard stays while scrolling", async () => {
  render(<PulseBar history={[up()]} count={1} explore />);
  fireEvent.pointerMove(bar(), mouse);
  expect(tooltip()).toBe("Up");
  fireEvent.pointerOut(bar(), mouse);
  expect(tooltip()).toBeUndefined();
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  fireEvent.scroll(document);
  expect(tooltip()).toBe("Up");
});
