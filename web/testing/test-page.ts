import "./test-dom";

export { fakeServer } from "./test-dom";

// Testing Library needs a document when it is loaded, so it is loaded after test-dom.
const library = await import("@testing-library/react");
export const { act, fireEvent, render, screen, waitFor, within } = library;
// Without stylesheets no element ignores the pointer, and looking for one that does is slow.
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

// Whole screens are rendered here, which can be slow on a busy machine.
library.configure({ asyncUtilTimeout: 20_000 });
