import "./test-dom";
import { setDefaultTimeout } from "bun:test";

export { fakeServer } from "./test-dom";

// Testing Library looks for a document when it is loaded, so it is loaded here, after there is one.
export const { act, cleanup, render, screen, waitFor, within } = await import("@testing-library/react");
export const userEvent = (await import("@testing-library/user-event")).default.setup({ delay: null });

// Whole screens are drawn here; a busy machine may take its time.
setDefaultTimeout(30_000);
