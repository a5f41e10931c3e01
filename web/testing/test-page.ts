import "./test-dom";

import { createElement, useEffect } from "react";

export { fakeServer } from "./test-dom";

// React and Testing Library need a document when they are loaded, so they are loaded after test-dom.
const { createRoot } = await import("react-dom/client");
const library = await import("@testing-library/react");
export const { act, fireEvent, render, renderHook, screen, waitFor, within } = library;
// Without stylesheets no element ignores the pointer, and searching for one is slow.
export const userEvent = (await import("@testing-library/user-event")).default.setup({
  delay: null,
  pointerEventsCheck: 0,
});

/** Waits until an element is gone. A failed `expect` would print the element each time, which takes seconds. */
export const waitUntilGone = (query: () => Element | null): Promise<void> =>
  waitFor(() => {
    if (query()) throw new Error("the element is still on the page");
  });

/** Unmounts the page and waits until its pending calls are sent, while they still count as this test's. */
export const cleanup = async (): Promise<void> => {
  library.cleanup();
  await Bun.sleep(0);
};

const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
const probe = createRoot(document.createElement("div"));
function Probe({ onRendered }: { onRendered: () => void }) {
  useEffect(onRendered);
  return null;
}

/** Waits until React has rendered scheduled updates and run their effects: there, components subscribe to atoms. */
const rendered = () => new Promise<void>((resolve) => probe.render(createElement(Probe, { onRendered: resolve })));

let waits = 0;
let isActEnvironment: boolean | undefined;

/** Runs a wait or an interaction of Testing Library outside of act(). Waits may overlap. */
const asyncWrapper = async <T>(run: () => Promise<T>): Promise<T> => {
  if (waits++ === 0) isActEnvironment = environment.IS_REACT_ACT_ENVIRONMENT;
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    const result = await run();
    await rendered();
    // Effects may change states.
    await rendered();
    return result;
  } finally {
    if (--waits === 0) environment.IS_REACT_ACT_ENVIRONMENT = isActEnvironment;
  }
};

// Whole screens are rendered here, which can be slow on a busy machine.
library.configure({ asyncUtilTimeout: 20_000, asyncWrapper });
