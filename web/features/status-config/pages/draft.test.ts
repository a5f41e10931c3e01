import { expect, test } from "bun:test";
import { bodyOf, missingIn, move, newDraft } from "./draft";

const shop = { type: "monitor", id: 3, name: "Shop" } as const;
const db = { type: "agent", id: 5, name: "db" } as const;

test("a component needs a name, unless it is about one target, and something to be measured by", () => {
  const draft = newDraft();
  expect(missingIn(draft)).toEqual(["name", "targets"]);
  expect(missingIn({ ...draft, targets: [shop] })).toEqual([]);
  expect(missingIn({ ...draft, targets: [shop, db] })).toEqual(["name"]);
  expect(missingIn({ ...draft, targets: [shop], tag: "eu" })).toEqual(["name"]);
  expect(missingIn({ ...draft, name: "Phone", status: "operational" })).toEqual([]);
  expect(missingIn({ ...draft, name: " " })).toEqual(["name", "targets"]);
});

test("components are saved with ids for each kind of target", () => {
  const draft = { ...newDraft(), id: 7, name: " Checkout ", targets: [shop, db], tag: " eu ", bar: false };
  expect(bodyOf([draft])).toEqual([
    {
      ...{ id: 7, name: "Checkout", group: "", description: "", monitors: [3], agents: [5], tag: "eu" },
      ...{ mode: "all", n: 1, fixed_status: null, show: "none" },
    },
  ]);
});

test("an item moves within its list, and not beyond its ends", () => {
  expect(move(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(move(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
  expect(move(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  expect(move(["a", "b"], 1, 2)).toEqual(["a", "b"]);
});
