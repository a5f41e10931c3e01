import { expect, test } from "bun:test";
import { countAgents, selectAgents } from "./select-agents";

const agent = (name: string, status: string, cpu_usage: number | null, memory_used: number | null) => ({
  name,
  hostname: `${name.toLowerCase().replace(" ", "-")}.example.com`,
  ip_addresses: ["192.0.2.7", `192.0.2.${100 + name.length}`],
  os: name === "Backup" ? "Windows Server 2025" : "Debian GNU/Linux 12",
  status,
  cpu_usage,
  memory_total: memory_used === null ? null : 100,
  memory_used,
  disk_total: memory_used === null ? null : 100,
  disk_used: memory_used === null ? null : 100 - memory_used,
});
const all = [
  agent("Web 10", "active", 80, 20),
  agent("Web 2", "active", 5, 90),
  agent("Backup", "inactive", 0, 40),
  agent("New one", "connecting", null, null),
  agent("Unknown", "on holiday", 1, 50),
];
const select = (change: Partial<Parameters<typeof selectAgents>[1]>) =>
  selectAgents(all, { search: "", filter: "all", sort: "name", ...change }).map(({ name }) => name);

test("agents are sorted by name, with numbers in numeric order", () => {
  expect(select({})).toEqual(["Backup", "New one", "Unknown", "Web 2", "Web 10"]);
});

test("sorting by status puts offline agents first, and an unknown status counts as offline", () => {
  expect(select({ sort: "status" })).toEqual(["Backup", "Unknown", "New one", "Web 2", "Web 10"]);
});

test("sorting by a resource puts the highest use first and unknown values last", () => {
  expect(select({ sort: "cpu" })).toEqual(["Web 10", "Web 2", "Unknown", "Backup", "New one"]);
  expect(select({ sort: "memory" }).at(0)).toBe("Web 2");
  expect(select({ sort: "disk" }).at(0)).toBe("Web 10");
  expect(select({ sort: "disk" }).at(-1)).toBe("New one");
});

test("the search matches names, hosts, addresses and systems", () => {
  expect(select({ search: " BACKUP.example " })).toEqual(["Backup"]);
  expect(select({ search: "192.0.2.7" })).toHaveLength(5);
  expect(select({ search: "windows" })).toEqual(["Backup"]);
});

test("filters narrow the list of agents, and each filter counts the agents that it shows", () => {
  expect(select({ filter: "inactive" })).toEqual(["Backup", "Unknown"]);
  expect(select({ filter: "connecting" })).toEqual(["New one"]);
  expect(countAgents(all)).toEqual({ all: 5, active: 2, inactive: 2, connecting: 1 });
});
