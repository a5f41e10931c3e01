import "../testing/test-dom";

import { afterEach, expect, test } from "bun:test";
import { registerServiceWorker } from "./register";

afterEach(() => {
  Reflect.deleteProperty(navigator, "serviceWorker");
  Reflect.deleteProperty(window, "trustedTypes");
});

/** A browser with service workers, which happy-dom does not have. */
const offerWorkers = (update: () => Promise<unknown>) => {
  const registered: unknown[] = [];
  const register = async (url: unknown) => {
    registered.push(url);
    return { update };
  };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { register } });
  return registered;
};

test("a page looks for a newer service worker at once, so that it is not opened with old code after an upgrade", async () => {
  const updated = Promise.withResolvers<string>();
  const registered = offerWorkers(async () => updated.resolve("updated"));
  registerServiceWorker();
  expect(await updated.promise).toBe("updated");
  expect(registered).toEqual([new URL("service-worker.js", document.baseURI).href]);
});

test("the address is a trusted type where the content security policy demands one", () => {
  const registered = offerWorkers(async () => {});
  type Rules = { createScriptURL: (url: string) => string };
  const trustedTypes = {
    createPolicy: (_name: string, { createScriptURL }: Rules) => ({
      createScriptURL: (url: string) => ({ trusted: createScriptURL(url) }),
    }),
  };
  Object.defineProperty(window, "trustedTypes", { configurable: true, value: trustedTypes });
  registerServiceWorker();
  expect(registered).toEqual([{ trusted: new URL("service-worker.js", document.baseURI).href }]);
});

test("a browser without service workers, as on plain http, does without", () => {
  expect(() => registerServiceWorker()).not.toThrow();
});
