import { expect, it } from "bun:test";
import { createRandom, seeds } from "../testing/random";
import { createExpiringMap } from "./expiring-map";

it("an entry is kept for its lifetime, and not when the clock was set back before it", () => {
  const map = createExpiringMap<string, number>(10);
  map.set("a", 1, 1000, { lifetime: 500 });
  expect([map.get("a", 1000), map.get("a", 1499), map.get("a", 1500), map.size()]).toEqual([1, 1, undefined, 0]);
  map.set("a", 2, 1000, { lifetime: 500 });
  expect([map.get("a", 999), map.size()]).toEqual([undefined, 0]);
});

it("a full map drops the entry that was set first", () => {
  const map = createExpiringMap<number, number>(3);
  for (const key of [1, 2, 3, 1, 4]) map.set(key, key, 0, { lifetime: 1000 });
  expect([1, 2, 3, 4].map((key) => map.get(key, 0))).toEqual([1, undefined, 3, 4]);
  expect(map.size()).toBe(3);
});

it("heavy entries make room for themselves, and the newest one is kept whatever its weight", () => {
  const map = createExpiringMap<string, number>(10);
  map.set("a", 1, 0, { lifetime: 1000, weight: 4 });
  map.set("b", 2, 0, { lifetime: 1000, weight: 4 });
  map.set("c", 3, 0, { lifetime: 1000, weight: 5 });
  expect(["a", "b", "c"].map((key) => map.get(key, 0))).toEqual([undefined, 2, 3]);
  map.set("d", 4, 0, { lifetime: 1000, weight: 50 });
  expect([map.size(), map.get("d", 0)]).toEqual([1, 4]);
  map.set("e", 5, 0, { lifetime: 1000, weight: 10 });
  expect([map.size(), map.get("e", 0)]).toEqual([1, 5]);
});

it("entries that expired are dropped when another is set", () => {
  const map = createExpiringMap<number, number>(100);
  for (let key = 0; key < 50; key++) map.set(key, key, key, { lifetime: 10 });
  expect(map.size()).toBeLessThanOrEqual(11);
});

it("any sequence of calls leaves the entries of a simple list", () => {
  for (const seed of seeds(20)) {
    const random = createRandom(seed);
    const map = createExpiringMap<number, number>(6);
    let list: { key: number; value: number; setAt: number; weight: number }[] = [];
    let now = 1000;
    for (let step = 0; step < 300; step++) {
      now += random.oneIn(20) ? -15 : random.below(4);
      const key = random.below(8);
      const isValid = ({ setAt }: { setAt: number }) => now >= setAt && now < setAt + 20;
      if (random.oneIn(6)) {
        map.delete(key);
        list = list.filter((entry) => entry.key !== key);
      } else if (random.oneIn(2)) {
        const weight = 1 + random.below(3);
        map.set(key, step, now, { lifetime: 20, weight });
        list = list.filter((entry) => entry.key !== key);
        const total = () => list.reduce((sum, entry) => sum + entry.weight, weight);
        while (list[0] && (total() > 6 || !isValid(list[0]))) list.shift();
        list.push({ key, value: step, setAt: now, weight });
      } else {
        const found = list.find((entry) => entry.key === key);
        expect([seed, step, map.get(key, now)]).toEqual([
          seed,
          step,
          found && isValid(found) ? found.value : undefined,
        ]);
        if (found && !isValid(found)) list = list.filter((entry) => entry !== found);
      }
      expect([seed, step, map.size()]).toEqual([seed, step, list.length]);
    }
  }
});
