import type { Target } from "../modules/monitors/probe";

/** A whole target of a check out of what a test cares for. */
export const targetOf = (wanted: Partial<Target> & { url: string }): Target => ({
  method: "GET",
  headers: {},
  body: "",
  timeout: 2,
  expectedStatus: 200,
  allowPrivate: true,
  ...wanted,
});
