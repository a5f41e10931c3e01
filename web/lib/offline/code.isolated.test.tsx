import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { Suspense } from "react";
import { setUpPage } from "../../testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor, waitUntilGone } from "../../testing/test-page";
import { ConnectionLine } from "../../ui/feedback/connection-line";
import { later, loadNeeded, preload, preloadAll } from "./code";
import { connection, retryNow, setAsOf } from "./connection";

setUpPage();
beforeEach(() => {
  // With another type it is not loaded.
  document.head.innerHTML = '<script type="text/plain" src="./index-old.js"></script>';
  document.head.firstElementChild?.setAttribute("type", "module");
});
afterEach(() => {
  document.head.innerHTML = "";
  setAsOf(null);
});

/** The server answers a page that begins with this script. */
const serve = (script: string) =>
  fakeServer.answer(
    () =>
      new Response(`<!doctype html><script type="module" crossorigin src="./${script}.js"></script>`, {
        headers: { "content-type": "text/html" },
      }),
  );

/** Code that cannot be loaded until `there` is set. */
const missingCode = (text = "Loaded") => {
  const state = { there: false, attempts: 0 };
  const load = async () => {
    state.attempts++;
    if (!state.there) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: () => <p>{text}</p> };
  };
  return { state, load };
};

/** Waits until the page has asked the server for its present page as often as that. */
const asked = (times: number) =>
  waitFor(async () => {
    expect(fakeServer.calls.length).toBe(times);
    // The answer has been read.
    await act(() => Bun.sleep(0));
  });

test("a part whose code cannot be loaded leaves the rest as it is, and appears after a retry", async () => {
  serve("index-old");
  const { state, load } = missingCode();
  const Part = later(load);
  render(
    <>
      <ConnectionLine />
      <Suspense fallback={<p>Before</p>}>
        <Part />
      </Suspense>
    </>,
  );
  await screen.findByText(/The server can’t be reached/);
  expect(screen.getByText("Before")).toBeTruthy();
  state.there = true;
  await waitFor(async () => {
    const button = screen.queryByRole("button", { name: "Try again" });
    if (button) await userEvent.click(button);
    expect(screen.queryByText("Loaded")).toBeTruthy();
  });
  expect(connection().missing).toBe(0);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("missing code is loaded again when the browser is online again", async () => {
  serve("index-old");
  const { state, load } = missingCode();
  const loaded = loadNeeded(load);
  await asked(1);
  state.there = true;
  await waitFor(() => {
    window.dispatchEvent(new Event("online"));
    expect(connection().missing).toBe(0);
  });
  await loaded;
});

test("missing code of a page that the server has replaced reloads the page once for each new page", async () => {
  serve("index-new");
  const reloads: string[] = [];
  const load = missingCode();
  const loaded = loadNeeded(load.load, () => reloads.push("reload"));
  await waitFor(() => expect(reloads).toEqual(["reload"]));
  expect(connection().outdated).toBe(false);
  // The reloaded page fails again, because a proxy still has the old one.
  await waitFor(() => {
    retryNow();
    expect(connection().outdated).toBe(true);
  });
  expect(reloads).toEqual(["reload"]);
  serve("index-newer");
  await waitFor(() => {
    retryNow();
    expect(reloads.length).toBe(2);
  });
  load.state.there = true;
  await waitFor(() => {
    retryNow();
    expect(connection().missing).toBe(0);
  });
  await loaded;
});

test("a page that is outdated and cannot note its reload offers it instead", async () => {
  serve("index-new");
  const reloads: string[] = [];
  const load = missingCode();
  const own = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage") as PropertyDescriptor;
  const forbidden = () => {
    throw new DOMException("storage is forbidden", "SecurityError");
  };
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, get: forbidden });
  try {
    render(<ConnectionLine />);
    const loaded = loadNeeded(load.load, () => reloads.push("reload"));
    await screen.findByText(/A new version is available/);
    expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
    expect(reloads).toEqual([]);
    load.state.there = true;
    await waitFor(() => {
      retryNow();
      expect(connection().missing).toBe(0);
    });
    await loaded;
  } finally {
    Object.defineProperty(globalThis, "sessionStorage", own);
  }
});

test("all parts are loaded while the browser is idle, each once, until one fails", async () => {
  const [first, second, third] = [missingCode(), missingCode(), missingCode()];
  first.state.there = third.state.there = true;
  const parts = [first, second, third].map(({ load }) => later(load));
  await preload(parts[0] as object);
  expect(first.state.attempts).toBe(1);
  await preloadAll();
  expect([first, second, third].map(({ state }) => state.attempts)).toEqual([1, 1, 0]);
  second.state.there = true;
  await preloadAll();
  expect([first, second, third].map(({ state }) => state.attempts)).toEqual([1, 2, 1]);
  expect(connection().missing).toBe(0);
});

test("data that was kept is shown with its time", async () => {
  render(<ConnectionLine />);
  act(() => setAsOf(new Date().setHours(12, 3)));
  await screen.findByText("Offline, as of 12:03.");
  act(() => setAsOf(new Date().setHours(11, 58)));
  await screen.findByText("Offline, as of 11:58.");
  act(() => setAsOf(new Date().setHours(12, 1)));
  expect(screen.getByText("Offline, as of 11:58.")).toBeTruthy();
  act(() => setAsOf(null));
  await waitUntilGone(() => screen.queryByText(/Offline/));
});
