import "../testing/test-dom";

import { afterEach, expect, test } from "bun:test";
import { createStore } from "jotai";
import { choiceAtom, clearTab, store, stored, storedInTab, storeInTab } from "./storage";

afterEach(() => localStorage.clear());

const views = ["grid", "list"] as const;

test("choiceAtom reads and writes local storage, and replaces an unknown value by the fallback", () => {
  localStorage.setItem("view", "list");
  localStorage.setItem("other", "spiral");
  const memory = createStore();
  const view = choiceAtom("view", views, "grid");
  expect([memory.get(view), memory.get(choiceAtom("other", views, "grid"))]).toEqual(["list", "grid"]);
  memory.set(view, "grid");
  expect(localStorage.getItem("view")).toBe("grid");
});

test("a choice lasts as long as the page, also after a remount, when the browser forbids storage", () => {
  const names = ["localStorage", "sessionStorage"] as const;
  const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const forbidden = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  for (const name of names) Object.defineProperty(globalThis, name, { configurable: true, get: forbidden });
  try {
    store("key", "value");
    storeInTab("key", "value");
    clearTab();
    expect([stored("key"), storedInTab("key")]).toEqual([null, null]);
    const memory = createStore();
    const view = choiceAtom("view", views, "grid");
    const unmount = memory.sub(view, () => {});
    memory.set(view, "list");
    unmount();
    memory.sub(view, () => {});
    expect(memory.get(view)).toBe("list");
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(globalThis, name, descriptor as PropertyDescriptor);
  }
});
