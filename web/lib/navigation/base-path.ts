/** The base path of the page, without a trailing slash. When the hub renders a page, it passes its own path. */
export const base = typeof document === "undefined" ? "" : new URL(document.baseURI).pathname.replace(/\/$/, "");
