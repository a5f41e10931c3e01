import { expect, test } from "bun:test";
import { countMonitors, selectMonitors } from "./select-monitors";

const monitor = (name: string, status: string, uptime: number | null, response_time: number | null) => ({
  name,
  target: `https://${name.toLowerCase()}.example.com`,
  active: status !== "paused",
  status,
  uptime,
  response_time,
});
const all = [
  monitor("Web 10", "up", 99.9, 80),
  monitor("Web 2", "up", 100, 200),
  monitor("Billing", "down", 90, null),
  monitor("Old", "paused", 95, 50),
  monitor("New", "pending", null, null),
];
const select = (change: Partial<Parameters<typeof selectMonitors>[1]>) =>
  selectMonitors(all, { search: "", filter: "all", sort: "name", ...change }).map(({ name }) => name);

test("monitors are sorted by name, with numbers in numeric order", () => {
  expect(select({})).toEqual(["Billing", "New", "Old", "Web 2", "Web 10"]);
});

test("sorting by status puts down monitors first", () => {
  expect(select({ sort: "status" })).toEqual(["Billing", "New", "Web 2", "Web 10", "Old"]);
});

test("sorting by uptime or response puts the worst monitors first and unknown values last", () => {
  expect(select({ sort: "uptime" }).at(0)).toBe("Billing");
  expect(select({ sort: "uptime" }).at(-1)).toBe("New");
  expect(select({ sort: "response" })).toEqual(["Web 2", "Web 10", "Old", "Billing", "New"]);
});

test("filters narrow the list of monitors, and the search matches name and address", () => {
  expect(select({ filter: "active" })).not.toContain("Old");
  expect(select({ filter: "paused" })).toEqual(["Old"]);
  expect(select({ filter: "down" })).toEqual(["Billing"]);
  expect(select({ search: " BILLING.example " })).toEqual(["Billing"]);
});

test("each filter counts the monitors that it shows", () => {
  expect(countMonitors(all)).toEqual({ all: 5, active: 4, down: 1, paused: 1 });
});
