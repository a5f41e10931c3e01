import { expect, test } from "bun:test";
import type { StatusData } from "../../../src/modules/status-page/publish";
import { blocksOf, brokenKeys } from "./blocks";

const monitor = (id: number, status = "up") => ({ id, name: `m${id}`, status });
const agent = (id: number, status = "active") => ({ id, name: `a${id}`, status });
const pageOf = (monitors: object[], agents: object[], groups: object[] = []) =>
  ({ monitors, agents, groups }) as unknown as StatusData;
const read = (page: StatusData) =>
  blocksOf(page, brokenKeys(page)).map(({ key, name, monitors, agents }) => [
    name ?? key,
    [...monitors, ...agents].map(({ name: item }) => item).join(" "),
  ]);

test("rows stand in their groups, and the rest under services and servers; empty blocks are left out", () => {
  const groups = [
    { name: "Shop", monitors: [3, 1], agents: [2] },
    { name: "Empty", monitors: [], agents: [] },
  ];
  expect(read(pageOf([monitor(1), monitor(2), monitor(3)], [agent(1), agent(2)], groups))).toEqual([
    ["Shop", "m3 m1 a2"],
    ["services", "m2"],
    ["servers", "a1"],
  ]);
});

test("what is broken comes first in its block, and its block before others", () => {
  const groups = [
    { name: "Shop", monitors: [1], agents: [] },
    { name: "Bank", monitors: [2, 3], agents: [1, 2] },
  ];
  const agents = [agent(1), agent(2, "inactive")];
  expect(read(pageOf([monitor(1), monitor(2), monitor(3, "down"), monitor(4, "paused")], agents, groups))).toEqual([
    ["Bank", "m3 m2 a2 a1"],
    ["Shop", "m1"],
    ["services", "m4"],
  ]);
});

test("ids of a group that are not on the page are left out", () => {
  const groups = [{ name: "Shop", monitors: [9, 1], agents: [9] }];
  expect(read(pageOf([monitor(1)], [], groups))).toEqual([["Shop", "m1"]]);
});
