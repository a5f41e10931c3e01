import { expect, it } from "bun:test";
import { createExpiringMap } from "./expiring-map";

it("an entry is kept for its lifetime, and not when the clock was set back before it", () => {
  const map = createExpiringMap<string, number>(10);
  map.set("a", 1, 1000, 500);
  expect([map.get("a", 1000), map.get("a", 1499), map.get("a", 1500), map.size()]).toEqual([1, 1, undefined, 0]);
  map.set("a", 2, 1000, 500);
  expect([map.get("a", 999), map.size()]).toEqual([undefined, 0]);
});

it("a full map drops the entry that was set first", () => {
  const map = createExpiringMap<number, number>(3);
  for (const key of [1, 2, 3, 1, 4]) map.set(key, key, 0, 1000);
  expect([1, 2, 3, 4].map((key) => map.get(key, 0))).toEqual([1, undefined, 3, 4]);
  expect(map.size()).toBe(3);
});
