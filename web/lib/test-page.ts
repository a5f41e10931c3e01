import "./test-dom";

export { fakeServer } from "./test-dom";

// Testing Library looks for a document when it is loaded, so it is loaded here, after there is one.
export const { act, cleanup, render, screen, waitFor, within } = await import("@testing-library/react");
export const userEvent = (await import("@testing-library/user-event")).default;
