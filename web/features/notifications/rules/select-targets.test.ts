import { expect, test } from "bun:test";
import { monitorTargets, selectTargets, serverTargets } from "./select-targets";

const targets = [
  ...monitorTargets([
    { id: 1, name: "Shop", target: "https://shop.example.com/", muted: null },
    { id: 2, name: "Bank", target: "https://example.com/BANK", muted: null },
  ]),
  ...serverTargets([{ id: 1, name: "web-1", hostname: "frankfurt", muted: null }]),
];
const names = (search: string, filter: "all" | "own" = "all") =>
  selectTargets(targets, { search, filter, isOwn: ({ key }) => key === "agent:1" }).map(({ name }) => name);

test("targets are sorted by name, and the search matches name and address", () => {
  expect(names("")).toEqual(["Bank", "Shop", "web-1"]);
  expect(names(" SHOP ")).toEqual(["Shop"]);
  expect(names("bank")).toEqual(["Bank"]);
  expect(names("frank")).toEqual(["web-1"]);
});

test("the filter shows only the targets with settings of their own", () => {
  expect(names("", "own")).toEqual(["web-1"]);
  expect(names("shop", "own")).toEqual([]);
});
