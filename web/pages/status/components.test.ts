import { expect, test } from "bun:test";
import type { StatusData } from "../../../src/modules/status-page/publish";
import { withComponents } from "./components";

const pageOf = (page: object) => ({ monitors: [], groups: [], components: [], ...page }) as unknown as StatusData;

test("components are services in the groups of their headings, and others follow", () => {
  const page = pageOf({
    monitors: [{ id: 3, name: "Mail" }],
    groups: [{ name: "Shop", tag: "x", monitors: [3], agents: [] }],
    components: [
      { name: "Search", group: "" },
      { name: "Checkout", group: "Shop" },
      { name: "Phone", group: "Support" },
    ],
  });
  const { monitors, groups } = withComponents(page);
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  expect([...names.values()]).toEqual(["Mail", "Search", "Checkout", "Phone"]);
  expect(groups.map(({ name, tag, monitors }) => [name, tag, monitors.map((id) => names.get(id))])).toEqual([
    ["Shop", "x", ["Mail", "Checkout"]],
    ["Support", undefined, ["Phone"]],
  ]);
});

test("a page without components stays as it is", () => {
  const page = pageOf({});
  expect(withComponents(page)).toBe(page);
});
