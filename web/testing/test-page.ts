import "./test-dom";
import { setDefaultTimeout } from "bun:test";

export { fakeServer } from "./test-dom";

// Testing Library looks for a document when it is loaded, so it is loaded here, after there is one.
const library = await import("@testing-library/react");
export const { act, fireEvent, render, screen, waitFor, within } = library;
export const userEvent = (await import("@testing-library/user-event")).default.setup({ delay: null });

/** Takes the page down, and lets what it was about to ask for be asked while it still counts as this test's. */
export const cleanup = async (): Promise<void> => {
  library.cleanup();
  await Bun.sleep(0);
};

// Whole screens are drawn here; a busy machine may take its time.
library.configure({ asyncUtilTimeout: 20_000 });
setDefaultTimeout(30_000);
