import "../testing/test-dom";

import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { refreshMounted, resetResources, resource, setLive, shareUnchanged } from "./resource";

const store = getDefaultStore();
const settled = () => new Promise<void>((done) => setImmediate(done));

/** A loader whose calls the test resolves. */
const controlledLoader = () => {
  const waiting: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const load = () => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
  return { load, waiting };
};

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

test("a refresh keeps the old data on screen until the new data is there", async () => {
  const { load, waiting } = controlledLoader();
  const atom = resource(load);
  const first = store.set(atom);
  expect(store.get(atom)).toMatchObject({ data: undefined, loading: true });
  waiting[0]?.resolve("old");
  await first;
  const second = store.set(atom);
  expect(store.get(atom)).toMatchObject({ data: "old", loading: true });
  waiting[1]?.resolve("new");
  await second;
  expect(store.get(atom)).toMatchObject({ data: "new", loading: false });
});

test("a failed refresh keeps the old data and sets the error", async () => {
  const { load, waiting } = controlledLoader();
  const atom = resource(load);
  const first = store.set(atom);
  waiting[0]?.resolve("old");
  await first;
  const second = store.set(atom);
  waiting[1]?.reject(new Error("gone"));
  await second;
  expect(store.get(atom)).toMatchObject({ data: "old", error: new Error("gone"), loading: false });
});

test("an answer that arrives after that of a later request is ignored", async () => {
  const { load, waiting } = controlledLoader();
  const atom = resource(load);
  const requests = [store.set(atom), store.set(atom)];
  waiting[1]?.resolve("later");
  waiting[0]?.resolve("earlier");
  await Promise.all(requests);
  expect(store.get(atom).data).toBe("later");
});

test("resetResources drops the data and the answers of requests in flight", async () => {
  const { load, waiting } = controlledLoader();
  const atom = resource(load);
  const request = store.set(atom);
  resetResources();
  waiting[0]?.resolve("another user's data");
  await request;
  expect(store.get(atom).data).toBeUndefined();
});

test("after a final error nothing is loaded until the resource is mounted again", async () => {
  let loads = 0;
  const load = async () => {
    loads++;
    throw new Error("gone");
  };
  const atom = resource(load, { isFinal: () => true });
  const unmount = store.sub(atom, () => {});
  await settled();
  atom.refreshSoon();
  refreshMounted();
  jest.advanceTimersByTime(300_000);
  await settled();
  expect(loads).toBe(1);
  unmount();
  store.sub(atom, () => {})();
  await settled();
  expect(loads).toBe(2);
});

test("a resource polls every minute while mounted and stops when unmounted", async () => {
  let loads = 0;
  const atom = resource(async () => ++loads);
  const unmount = store.sub(atom, () => {});
  await settled();
  expect(loads).toBe(1);
  jest.advanceTimersByTime(59_000);
  await settled();
  expect(loads).toBe(1);
  jest.advanceTimersByTime(1000);
  await settled();
  expect(loads).toBe(2);
  unmount();
  jest.advanceTimersByTime(300_000);
  await settled();
  expect(loads).toBe(2);
});

test("a resource whose data is about to change polls each second, up to a limit", async () => {
  let loads = 0;
  const atom = resource(async () => ++loads, { pollFast: () => true });
  const unmount = store.sub(atom, () => {});
  for (let second = 0; second < 60; second++) {
    await settled();
    jest.advanceTimersByTime(1000);
  }
  await settled();
  expect(loads).toBeGreaterThan(30);
  expect(loads).toBeLessThan(50);
  unmount();
});

test("a manual refresh that loads data about to change makes polling fast", async () => {
  let due = false;
  let loads = 0;
  const atom = resource(async () => ++loads, { pollFast: () => due });
  const unmount = store.sub(atom, () => {});
  await settled();
  due = true;
  await store.set(atom);
  expect(loads).toBe(2);
  jest.advanceTimersByTime(1000);
  await settled();
  expect(loads).toBe(3);
  unmount();
});

test("a resource without a polling interval is loaded once on mount and never polled", async () => {
  let loads = 0;
  const atom = resource(async () => ++loads, { every: null });
  const unsubscribe = store.sub(atom, () => {});
  await settled();
  jest.advanceTimersByTime(600_000);
  document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(loads).toBe(1);
  await store.set(atom);
  expect(loads).toBe(2);
  unsubscribe();
});

test("shareUnchanged keeps the object of an unchanged item and replaces that of a changed one", () => {
  const before = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
  ];
  const after = shareUnchanged(before, [
    { id: 2, name: "b" },
    { id: 1, name: "changed" },
    { id: 3, name: "new" },
  ]);
  expect(after.map(({ name }) => name)).toEqual(["b", "changed", "new"]);
  expect(after[0]).toBe(before[1]!);
});

test("an edit changes the loaded data, and the answer of a request that began before it", async () => {
  const { load, waiting } = controlledLoader();
  const atom = resource(load);
  const first = store.set(atom);
  atom.edit((text) => `${text} edited`);
  expect(store.get(atom).data).toBeUndefined();
  waiting[0]?.resolve("first");
  await first;
  expect(store.get(atom).data).toBe("first edited");
  atom.edit((text) => `${text} again`);
  expect(store.get(atom).data).toBe("first edited again");
  const second = store.set(atom);
  waiting[1]?.resolve("second");
  await second;
  expect(store.get(atom).data).toBe("second");
});

test("data is polled once a minute at most while changes arrive by a stream, and as before without it", async () => {
  let loads = 0;
  const fast = resource(async () => ++loads, { every: 3000 });
  const unmount = store.sub(fast, () => {});
  await settled();
  setLive(true);
  jest.advanceTimersByTime(59_000);
  await settled();
  expect(loads).toBe(1);
  jest.advanceTimersByTime(1000);
  await settled();
  expect(loads).toBe(2);
  setLive(false);
  jest.advanceTimersByTime(3000);
  await settled();
  expect(loads).toBe(3);
  unmount();
});

test("refreshSoon refreshes mounted data once a second at most, and refreshMounted all of it at once", async () => {
  let loads = 0;
  const atom = resource(async () => ++loads);
  atom.refreshSoon();
  const unmount = store.sub(atom, () => {});
  await settled();
  for (let call = 0; call < 5; call++) atom.refreshSoon();
  jest.advanceTimersByTime(1000);
  await settled();
  expect(loads).toBe(2);
  refreshMounted();
  await settled();
  expect(loads).toBe(3);
  unmount();
  refreshMounted();
  await settled();
  expect(loads).toBe(3);
});

test("data that was prepared is not loaded again by the component that is mounted then, unless that is later", async () => {
  let loads = 0;
  const one = resource(async () => ++loads);
  await one.prepare();
  expect(store.get(one).data).toBe(1);
  store.sub(one, () => {})();
  expect(loads).toBe(1);
  store.sub(one, () => {})();
  expect(loads).toBe(2);
  await one.prepare();
  jest.advanceTimersByTime(6000);
  store.sub(one, () => {})();
  expect(loads).toBe(4);
});
