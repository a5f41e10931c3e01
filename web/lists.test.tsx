import "./testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { App } from "./app";
import { bare } from "./features/servers/fixtures";
import { signIn, signOut } from "./session";
import { setUpPage } from "./testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor, within } from "./testing/test-page";

const monitor = (id: number, name: string, status: string, uptime: number) => ({
  id,
  name,
  kind: "http",
  target: `https://${id}.example.com/`,
  url: `https://${id}.example.com/`,
  method: "GET",
  interval: 60,
  timeout: 30,
  expected_status: 200,
  headers: {},
  body: "",
  active: status !== "paused",
  status,
  ...{ since: "2026-01-01T00:00:00.000Z", error_code: null, error_detail: null, unknown: null, tags: [] },
  ...{ muted: null, maintenance: null },
  response_time: 84,
  uptime,
  watched: 100,
  last_checked: "2026-01-01T00:00:00.000Z",
  ...{ retries: 1, cert_expires_at: null },
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  history: [],
});
const agent = (id: number, name: string, status: string) => ({
  id,
  name,
  ...{ tags: [], hostname: `web-${id}` },
  ip_addresses: ["192.0.2.10"],
  os: "Debian GNU/Linux 12",
  version: "6.1.0",
  status,
  cpu_usage: 25.8,
  memory_total: 16,
  memory_used: 4,
  disk_total: 100,
  disk_used: 80,
  network_rx: 1,
  network_tx: 1,
  load_average: null,
  boot_time: null,
  temperature: null,
  disk_forecast: null,
  interval: 60,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-02T02:03:04.000Z",
});
const monitors = [
  monitor(1, "Pay 100%+", "up", 90),
  monitor(2, "Website", "down", 80),
  monitor(3, "Payments", "down", 99),
  monitor(4, "Old", "paused", 70),
];
const agents = [agent(1, "Backup", "active"), agent(2, "Database", "inactive")];
const problem = {
  id: 1,
  target_type: "monitor",
  target_id: 3,
  target_name: "Payments",
  kind: "down",
  since: "2026-01-01T00:00:00.000Z",
  error_code: "timeout",
  error_detail: { seconds: 30 },
  ...{ muted: null, maintenance: null, unknown: null },
  cause: null,
  acknowledged: null,
  flapping: false,
  history: [],
};
const counts = { up: 1, down: 2, pending: 0, paused: 1 };
const uptimes = { "24h": 100, "7d": 100, "30d": 99.5, "90d": null };
const day = { uptime: 99.5, watched: 100, watched_seconds: 86_400, down_seconds: 432, outages: 1 };
const availability = { "24h": day, "7d": day, "30d": day, "90d": day };
const answers: Record<string, object> = {
  "/api/monitors": { total: 4, counts: { all: 4, ...counts }, monitors },
  "/api/monitors/3": { monitor: { ...monitors[2], checks: [], uptimes, availability, outages: [] } },
  "/api/monitors/3/series": { points: [], summary: { up: 0, down: 0 }, gaps: [], maintenance: [] },
  "/api/agents": { total: 2, counts: { all: 2, active: 1, inactive: 1, connecting: 0 }, agents },
  "/api/agents/2": { agent: { ...agents[1], ...bare, agent_version: null } },
  "/api/thresholds": { thresholds: [], total: 0 },
  "/api/agents/2/metrics": { points: [], series: [], gaps: [], maintenance: [] },
  "/api/dashboard": {
    monitors: { ...counts, total: 4 },
    agents: { active: 1, inactive: 1, connecting: 0, total: 2 },
    connectivity: null,
    unknown: null,
    conditions: [],
    latest_monitors: monitors.slice(1),
    now: new Date().toISOString(),
    problems: [problem],
    problems_total: 1,
    in_maintenance: { monitors: 0, agents: 0, total: 0, outages: [] },
    well_since: null,
    events: [],
    latest_agents: agents,
  },
};

const urgency = ["down", "pending", "up", "paused"];
const orders: Record<string, (a: (typeof monitors)[number], b: (typeof monitors)[number]) => number> = {
  name: () => 0,
  status: (a, b) => urgency.indexOf(a.status) - urgency.indexOf(b.status),
  uptime: (a, b) => a.uptime - b.uptime,
};

const listMonitors = (query: URLSearchParams) => {
  const [status, search, sort, order] = ["status", "search", "sort", "order"].map((name) => query.get(name) ?? "");
  const found = monitors
    .filter((monitor) => !status || monitor.status === status || (status === "active" && monitor.active))
    .filter(({ name, target }) => `${name} ${target}`.toLowerCase().includes((search ?? "").toLowerCase()))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .toSorted(orders[sort ?? ""] ?? orders.name);
  if (order === "desc") found.reverse();
  return { ...answers["/api/monitors"], total: found.length, monitors: found };
};
/** Answers a list of servers with this status. */
const listServers = (query: URLSearchParams) => {
  const status = query.get("status");
  const found = agents.filter((agent) => !status || agent.status === status);
  return { ...answers["/api/agents"], total: found.length, agents: found };
};
const answerTo = (request: Request, path: string) => {
  const query = new URL(request.url).searchParams;
  if (path === "/api/monitors") return listMonitors(query);
  return path === "/api/agents" ? listServers(query) : answers[path];
};

const open = async (address: string) => {
  history.replaceState(null, "", address);
  render(<App />);
};
/** The names of the items in their order, as rows or as cards. */
const shown = () =>
  [...document.querySelectorAll("tbody th .row-link, .item-card :is(h2, h3) a")].map(({ textContent }) => textContent);
const showing = (...names: string[]) => waitFor(() => expect(shown()).toEqual(names));
const address = () => location.pathname + location.search;
const search = () => screen.getByRole<HTMLInputElement>("searchbox");

setUpPage();
beforeEach(() => {
  signOut();
  signIn("token", { id: 1, username: "alice", role: "user" });
  fakeServer.answer((request, path) => Response.json({ success: true, ...answerTo(request, path) }));
});

test("a list applies the filter, search and sort of its address", async () => {
  await open("/monitors?status=down&q=PAY&sort=uptime");
  await showing("Payments");
  expect(search().value).toBe("PAY");
  expect(screen.getByRole("button", { name: "Down 2" }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole<HTMLSelectElement>("combobox").value).toBe("uptime");
});

test("the list of servers applies the filter of its address", async () => {
  await open("/agents?status=inactive");
  await showing("Database");
  await userEvent.click(screen.getByRole("button", { name: "All 2" }));
  await showing("Backup", "Database");
  expect(address()).toBe("/agents");
});

test.each(["?status=broken&sort=colour&q=", "?status=all", "?status=inactive&Q=pay", "?%"])(
  "a list ignores the unknown values in %s",
  async (query) => {
    await open(`/monitors${query}`);
    await showing("Payments", "Website", "Pay 100%+", "Old");
    expect(search().value).toBe("");
    expect(screen.getByRole("button", { name: "All 4" }).getAttribute("aria-pressed")).toBe("true");
  },
);

test("filter, search and sort are written to the address without new history entries", async () => {
  await open("/monitors");
  await showing("Payments", "Website", "Pay 100%+", "Old");
  const { length } = history;
  await userEvent.type(search(), "pay");
  expect(address()).toBe("/monitors?q=pay");
  await userEvent.click(screen.getByRole("button", { name: "Down 2" }));
  await userEvent.selectOptions(screen.getByRole("combobox"), "uptime");
  expect(address()).toBe("/monitors?status=down&q=pay&sort=uptime");
  await userEvent.clear(search());
  await userEvent.click(screen.getByRole("button", { name: "All 4" }));
  await showing("Old", "Website", "Pay 100%+", "Payments");
  await userEvent.selectOptions(screen.getByRole("combobox"), "status");
  expect(address()).toBe("/monitors");
  expect(history.length).toBe(length);
});

test.each(["100%+", "%41", "a&b=c#d", "支付"])("a search for %s is written to the address unchanged", async (text) => {
  await open("/monitors");
  await screen.findByRole("searchbox");
  await userEvent.click(search());
  await userEvent.paste(text);
  expect(search().value).toBe(text);
  expect(new URLSearchParams(location.search).get("q")).toBe(text);
});

test("a sort in the address takes precedence over the stored one and is not stored", async () => {
  await open("/monitors");
  await userEvent.selectOptions(await screen.findByRole("combobox"), "name");
  await act(() => history.replaceState(null, "", "/monitors"));
  await showing("Old", "Pay 100%+", "Payments", "Website");
  await act(() => history.replaceState(null, "", "/monitors?sort=uptime"));
  await showing("Old", "Website", "Pay 100%+", "Payments");
  expect(localStorage.getItem("monitors.sort")).toBe("name asc");
  await userEvent.selectOptions(screen.getByRole("combobox"), "status");
});

test("the head of a column sorts, and a second click turns the order; both are in the address and stored", async () => {
  await open("/monitors");
  await userEvent.click(await screen.findByRole("button", { name: "Uptime, 30 days" }));
  await showing("Old", "Website", "Pay 100%+", "Payments");
  expect(address()).toBe("/monitors?sort=uptime");
  await userEvent.click(screen.getByRole("button", { name: "Uptime, 30 days" }));
  await showing("Payments", "Pay 100%+", "Website", "Old");
  expect(address()).toBe("/monitors?sort=uptime&order=desc");
  expect(screen.getByRole("columnheader", { name: "Uptime, 30 days" }).getAttribute("aria-sort")).toBe("descending");
  expect(localStorage.getItem("monitors.sort")).toBe("uptime desc");
  await userEvent.click(screen.getByRole("button", { name: "Status" }));
  expect(address()).toBe("/monitors");
});

test("a list without matches offers to clear search and filter", async () => {
  await open("/monitors?status=paused&q=web");
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  await showing("Payments", "Website", "Pay 100%+", "Old");
  expect(address()).toBe("/monitors");
});

test.each([
  ["/monitors?status=down&q=pay", "Payments", "API monitors"],
  ["/agents?status=inactive", "Database", "Servers"],
])("the back link of a detail page returns to %s", async (list, name, title) => {
  await open(list);
  await showing(name);
  await userEvent.click(screen.getByRole("link", { name }));
  const back = (await screen.findByRole("heading", { name, level: 1 })).ownerDocument.querySelector("a.back");
  expect(back?.getAttribute("href")).toBe(list);
  if (back) await userEvent.click(back);
  await showing(name);
  expect(address()).toBe(list);
  await userEvent.click(within(screen.getByRole("navigation")).getByRole("link", { name: title }));
  await waitFor(() => expect(shown().length).toBeGreaterThan(1));
  expect(address()).toBe(list.replace(/\?.*/, ""));
});

test("the back link of a page that was opened from the dashboard returns to the unfiltered list", async () => {
  await open("/monitors?status=down&q=pay");
  await showing("Payments");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  // The list stays until the dashboard is loaded.
  await screen.findByRole("heading", { name: "2 monitors down, 1 server offline", level: 1 });
  await userEvent.click(screen.getByRole("link", { name: "Payments" }));
  await screen.findByRole("heading", { name: "Payments", level: 1 });
  expect(document.querySelector("a.back")?.getAttribute("href")).toBe("/monitors");
});

test("the counts of down monitors and servers on the dashboard link to their lists", async () => {
  await open("/dashboard");
  await userEvent.click(await screen.findByRole("link", { name: "Offline: 1" }));
  await showing("Database");
  expect(address()).toBe("/agents?status=inactive");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  await userEvent.click(await screen.findByRole("link", { name: "Down: 2" }));
  await showing("Payments", "Website");
  expect(address()).toBe("/monitors?status=down");
});

test("a count of zero on the dashboard has no link", async () => {
  const calm = { ...answers["/api/dashboard"], monitors: { ...counts, down: 0, total: 2 } };
  fakeServer.answer((_request, path) =>
    Response.json({ success: true, ...(path === "/api/dashboard" ? calm : answers[path]) }),
  );
  await open("/dashboard");
  await screen.findByRole("link", { name: "Offline: 1" });
  expect(screen.queryByRole("link", { name: /^Down/ })).toBeNull();
});

test("the skip link moves the focus and does not change the address", async () => {
  await open("/monitors?status=down");
  await showing("Payments", "Website");
  await userEvent.click(screen.getByRole("link", { name: "Skip to content" }));
  await waitFor(() => expect(document.activeElement?.id).toBe("main"));
  expect(address()).toBe("/monitors?status=down");
});
