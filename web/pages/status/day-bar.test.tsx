import "../../testing/test-dom";

import { afterEach, expect, spyOn, test } from "bun:test";
import type { ComponentProps } from "react";
import { I18nextProvider } from "react-i18next";
import { cleanup, fireEvent, render, screen, userEvent } from "../../testing/test-page";
import { createTranslator } from "../shared/translator";
import { DayBar, noonOf, shareOf, toneOf } from "./day-bar";
import { words } from "./words/all";

afterEach(cleanup);

const days = [{ date: "2026-01-15", up: 9, down: 1, unknown_seconds: 0 }];
const TEXT = "Jan 15, 2026 · 90.00% · 1 failure";

const draw = (...names: string[]) => drawDays(days, ...names);
const drawDays = (shown: ComponentProps<typeof DayBar>["days"], ...names: string[]) => {
  render(
    <I18nextProvider i18n={createTranslator("en-US", { words })}>
      {names.map((name) => (
        <DayBar key={name} id={name} name={name} days={shown} share={90} />
      ))}
    </I18nextProvider>,
  );
  // As wide as a browser would draw them.
  return screen
    .getAllByRole("slider")
    .map((bar) => Object.assign(bar, { getBoundingClientRect: () => new DOMRect(0, 0, 10, 10) })) as [
    HTMLElement,
    HTMLElement,
  ];
};
const tip = (bar: HTMLElement) => bar.querySelector(".tip")?.textContent;

/** The events of a finger that taps. */
const tap = (element: Element) => {
  fireEvent.pointerDown(element, { pointerType: "touch", clientX: 5 });
  fireEvent.pointerUp(element, { pointerType: "touch", clientX: 5 });
  fireEvent.pointerOut(element, { pointerType: "touch", clientX: 5 });
};

test("a tap shows the figures of a day, and they stay when the finger is lifted", () => {
  const [bar] = draw("shop");
  tap(bar);
  expect(tip(bar)).toBe(TEXT);
});

test("a tap elsewhere hides the figures, and a tap on another bar moves them there", () => {
  const [bar, other] = draw("shop", "mail");
  tap(bar);
  tap(other);
  expect([tip(bar), tip(other)]).toEqual([undefined, TEXT]);
  tap(document.body);
  expect(tip(other)).toBeUndefined();
});

test("scrolling hides the figures that a tap showed", () => {
  const [bar] = draw("shop");
  tap(bar);
  fireEvent.scroll(document);
  expect(tip(bar)).toBeUndefined();
});

test("the figures that the mouse shows go when it leaves", () => {
  const [bar] = draw("shop");
  fireEvent.pointerMove(bar, { pointerType: "mouse", clientX: 5 });
  expect(tip(bar)).toBe(TEXT);
  fireEvent.pointerOut(bar, { pointerType: "mouse", clientX: 5 });
  expect(tip(bar)).toBeUndefined();
});

test("a screen reader reads the whole span first, and the chosen day after an arrow key", async () => {
  const [bar] = draw("shop");
  expect(bar.getAttribute("aria-valuetext")).toBe("Past 1 days: 90.00% up, with failures on 1 day");
  bar.focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(bar.getAttribute("aria-valuetext")).toBe(TEXT);
});

test("the unknown time of a day is a part of its own, in words too; the days before the first check are pale slots of their own", async () => {
  const [first, second, third] = ["2026-01-14", "2026-01-15", "2026-01-16"];
  const unknown_seconds = 2580;
  const [bar] = drawDays(
    [
      { date: String(first), up: 0, down: 0, unknown_seconds },
      { date: String(second), up: 9, down: 1, unknown_seconds },
      { date: String(third), up: 0, down: 0, unknown_seconds: 86_400 },
    ],
    "shop",
  );
  expect(bar.querySelector("path.unknown")?.getAttribute("d")).toBe("M1.5 0.75V1M2.5 0.14V1");
  expect(bar.querySelector("path.bad")?.getAttribute("d")).toBe("M1.5 0V0.75");
  expect(bar.querySelector("path.before")?.getAttribute("d")).toBe("M0.5 0.14V1");
  expect(bar.getAttribute("aria-valuetext")).toBe(
    "Past 3 days: 90.00% up, with failures on 1 day, Watched since Jan 15, unknown for 1 d",
  );
  bar.focus();
  const read = async () => {
    await userEvent.keyboard("{ArrowLeft}");
    return bar.getAttribute("aria-valuetext");
  };
  expect(await read()).toBe("Jan 16, 2026 · unknown for 1 d");
  expect(await read()).toBe(`${TEXT} · unknown for 43 min`);
  expect(await read()).toBe("Jan 14, 2026 · Watched since Jan 15");
});

test("every day has a slot, so that a bar fills its width however few days were watched", () => {
  const month = Array.from({ length: 90 }, (_, place) => ({
    date: new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10),
    ...{ up: place < 60 ? 0 : 10, down: place === 75 ? 10 : 0, unknown_seconds: 0 },
  }));
  const [bar] = drawDays(month, "shop");
  const places = [...bar.querySelectorAll("path")].flatMap((path) =>
    [...(path.getAttribute("d") ?? "").matchAll(/M([\d.]+) /g)].map(([, place]) => Number(place)),
  );
  expect(places.toSorted((one, other) => one - other)).toEqual(month.map((_, place) => place + 0.5));
  expect(bar.querySelector("path.before")?.getAttribute("d")?.match(/M/g)).toHaveLength(60);
});

test.each([
  [1440, 0, "good"],
  [9990, 10, "good"],
  [9989, 11, "fair"],
  [99, 1, "fair"],
  [989, 11, "poor"],
  [95, 5, "poor"],
  [949, 51, "bad"],
  [0, 1, "bad"],
  [0, 0, "none"],
])("a day of %d good and %d failed checks is %s", (up, down, tone) =>
  expect(toneOf({ up, down })).toBe(tone as "good"),
);

test("a share is never rounded up to a perfect one", () => {
  expect(shareOf({ up: 99_999, down: 1 })).toBe(99.99);
  expect(shareOf({ up: 5, down: 0 })).toBe(100);
  expect(shareOf({ up: 0, down: 0 })).toBeNull();
});

test("a date is the same date in every zone", () => {
  const noon = noonOf("2026-03-29");
  expect([noon.getFullYear(), noon.getMonth(), noon.getDate()]).toEqual([2026, 2, 29]);
});

test("the maintenance of a day is a part of its own, and failures in it do not count", async () => {
  const [first, second, third] = ["2026-01-15", "2026-01-16", "2026-01-17"];
  const day = { up: 9, unknown_seconds: 0, maintenance_seconds: 7200 };
  const [bar] = drawDays(
    [
      { ...day, date: String(first), down: 1, held: 1 },
      { ...day, date: String(second), down: 3, held: 2 },
      { ...day, date: String(third), up: 0, down: 4, held: 4 },
    ],
    "shop",
  );
  expect(bar.querySelector("path.maintenance")?.getAttribute("d")).toBe("M0.5 0.75V1M1.5 0.75V1M2.5 0.14V1");
  expect(bar.querySelector("path.good")?.getAttribute("d")).toBe("M0.5 0.14V0.75");
  const read = async (key: string) => {
    await userEvent.keyboard(key);
    return bar.getAttribute("aria-valuetext");
  };
  bar.focus();
  expect(await read("{Home}")).toBe("Jan 15, 2026 · 100.00% · Maintenance 2 h");
  expect(await read("{ArrowRight}")).toBe("Jan 16, 2026 · 90.00% · 1 failure · Maintenance 2 h");
  expect(await read("{ArrowRight}")).toBe("Jan 17, 2026 · Maintenance 2 h");
});

test("Enter and a click on a day open it in the history", async () => {
  const opened: string[] = [];
  const assign = spyOn(window.location, "assign").mockImplementation((url) => void opened.push(String(url)));
  const here = window.location.pathname.replace(/\/$/, "");
  const [bar] = draw("shop");
  fireEvent.pointerMove(bar, { pointerType: "mouse", clientX: 5 });
  fireEvent.click(bar, { pointerType: "mouse" });
  expect(opened).toEqual([`${here}/history?day=2026-01-15`]);
  fireEvent.pointerOut(bar, { pointerType: "mouse", clientX: 5 });
  bar.focus();
  await userEvent.keyboard("{Enter}");
  expect(opened).toHaveLength(1);
  await userEvent.keyboard("{ArrowLeft}{Enter}");
  expect(opened).toHaveLength(2);
  assign.mockRestore();
});
