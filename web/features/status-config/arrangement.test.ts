import { expect, test } from "bun:test";
import { addGroup, arrange, moveItem, partsOf, placeOf, removeGroup, stepGroup, stepItem } from "./arrangement";

const draft = {
  monitors: [1, 2, 3, 4],
  agents: [7, 8],
  groups: [
    { name: "Shop", monitors: [2, 9], agents: [8] },
    { name: "Bank", monitors: [4], agents: [] },
  ],
};
const parts = partsOf(draft);
const read = (all: ReturnType<typeof partsOf>) =>
  all.map(({ name, items }) => `${name ?? "-"}: ${items.map(({ kind, id }) => `${kind[0]}${id}`).join(" ")}`);

test("a configuration is read by groups, without ids that are not chosen, and written back", () => {
  expect(read(parts)).toEqual(["Shop: m2 a8", "Bank: m4", "-: m1 m3 a7"]);
  const written = arrange(parts);
  expect(written).toEqual({
    monitors: [2, 4, 1, 3],
    agents: [8, 7],
    groups: [
      { name: "Shop", monitors: [2], agents: [8] },
      { name: "Bank", monitors: [4], agents: [] },
    ],
  });
  expect(partsOf(written)).toEqual(parts);
});

test("an item moves to another part, where monitors stay before servers", () => {
  expect(read(moveItem(parts, { part: 2, place: 0 }, { part: 0, place: 2 }))).toEqual([
    "Shop: m2 m1 a8",
    "Bank: m4",
    "-: m3 a7",
  ]);
  expect(read(moveItem(parts, { part: 2, place: 2 }, { part: 1, place: 0 }))[1]).toBe("Bank: m4 a7");
  expect(read(moveItem(parts, { part: 2, place: 0 }, { part: 2, place: 1 }))[2]).toBe("-: m3 m1 a7");
  for (const [from, to] of [
    [9, 0],
    [0, 9],
  ] as const)
    expect(moveItem(parts, { part: from, place: 0 }, { part: to, place: 0 })).toEqual(parts);
});

test("an item steps past its neighbour, then into the next part, and stops at both ends", () => {
  const up = stepItem(parts, { part: 2, place: 1 }, -1);
  expect(read(up)[2]).toBe("-: m3 m1 a7");
  expect(read(stepItem(up, { part: 2, place: 0 }, -1)).slice(1)).toEqual(["Bank: m4 m3", "-: m1 a7"]);
  expect(read(stepItem(parts, { part: 1, place: 0 }, 1)).slice(1)).toEqual(["Bank: ", "-: m4 m1 m3 a7"]);
  expect(stepItem(parts, { part: 0, place: 0 }, -1)).toEqual(parts);
  expect(stepItem(parts, { part: 2, place: 2 }, 1)).toEqual(parts);
});

test("groups are moved, added before the rest, and removed without their items", () => {
  expect(read(stepGroup(parts, 0, 1))).toEqual(["Bank: m4", "Shop: m2 a8", "-: m1 m3 a7"]);
  expect([stepGroup(parts, 0, -1), stepGroup(parts, 1, 1)]).toEqual([parts, parts]);
  expect(read(addGroup(parts, "New")).slice(2)).toEqual(["New: ", "-: m1 m3 a7"]);
  expect(read(removeGroup(parts, 0))).toEqual(["Bank: m4", "-: m2 m1 m3 a8 a7"]);
  expect(placeOf(parts, { kind: "agents", id: 7 })).toEqual({ part: 2, place: 2 });
  expect(placeOf(parts, { kind: "agents", id: 1 })).toBeUndefined();
});
