import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import { DocumentTitle } from "../../../ui/layout/page-title";
import { bar, detail, gigabyte, refusal } from "../fixtures";
import DetailPage from "./detail-page";

setUpPage({ path: "/agents" });

const openTab = async (name: string) =>
  userEvent.click(await screen.findByRole("tab", { name: new RegExp(`^${name}( |$)`) }));

test("a server's page shows its addresses, uptime and resources", async () => {
  detail({ disks: [{ mount: "/", total: 10, used: 9 }], swap: { total: 2 * gigabyte, used: gigabyte } });
  render(<DetailPage id="7" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(screen.getByText("(plus 2 more)")).toBeTruthy();
  expect(screen.getByText("Swap").nextElementSibling?.textContent).toBe("50% · 1 of 2 GB");
  await screen.findByText("No data in this range yet");
  await openTab("About");
  expect(screen.getByText("2001:db8::10")).toBeTruthy();
  expect(screen.getByText("1 day 2 hours 3 minutes")).toBeTruthy();
});

test("each tab has an address, and an address of a tab without content shows the overview", async () => {
  detail({ containers: [], disks: [{ mount: "/", total: 10, used: 9 }] });
  render(<DetailPage id="7" />);
  await screen.findByRole("heading", { name: "Web server" });
  const tabs = ["Overview", "Disks", "Containers and services", "Traffic and plan", "Alerts", "About"];
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(tabs);
  for (const name of tabs) await openTab(name);
  expect(location.search).toBe("?tab=about");
  await openTab("Overview");
  expect(location.search).toBe("");
  cleanup();
  detail({});
  history.replaceState(null, "", "/agents/8?tab=disks");
  render(<DetailPage id="8" />);
  await screen.findByRole("heading", { name: "Resources" });
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
    ...["Overview", "Traffic and plan", "Alerts", "About"],
  ]);
  await openTab("Traffic and plan");
  expect(screen.getByRole("heading", { name: "No traffic yet" })).toBeTruthy();
});

test("a tab counts the problems that it shows", async () => {
  detail({
    disks: [{ mount: "/", total: 10, used: 9 }],
    arrays: [{ name: "md0", kind: "md", state: "active", degraded: true }],
    failed_units: ["backup.service", "certbot.service"],
    unreadable_disks: [{ mount: "/nas", reason: "timeout" }],
  });
  render(<DetailPage id="9" />);
  await screen.findByRole("tab", { name: "Disks 2 problems" });
  expect(screen.getByRole("tab", { name: "Containers and services 2 problems" })).toBeTruthy();
  expect(screen.getByRole("tab", { name: "Alerts" })).toBeTruthy();
});

test("the forecast of each disk is in words, and the disk that will be full first is the first", async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const forecasts = {
    "/": { outlook: "not_growing", full_at: null },
    "/home": { outlook: "filling", full_at: hours(42 * 24) },
    "/var": { outlook: "filling", full_at: hours(43.2) },
    "/full": { outlook: "not_growing", full_at: null },
    "/new": { outlook: "unknown", full_at: null },
  };
  const disks = Object.keys(forecasts).map((mount, place) => ({ mount, total: 100, used: 20 + place }));
  detail({
    disks: disks.map((disk) => (disk.mount === "/full" ? { ...disk, used: 100 } : disk)),
    disk_forecasts: Object.entries(forecasts).map(([mount, forecast]) => ({ mount, ...forecast })),
  });
  render(<DetailPage id="10" />);
  await openTab("Disks");
  const rows = within(screen.getByRole("table", { name: "Filesystems" }))
    .getAllByRole("row")
    .slice(1);
  const cells = rows.map(({ children: [mount, , forecast] }) => [
    mount?.textContent,
    forecast?.textContent?.replace(/ [A-Z].*/, ""),
  ]);
  expect(cells).toEqual([
    ["/var", "full in 43 h"],
    ["/home", "full in about 6 weeks"],
    ["/full", "full"],
    ["/new", "not enough history yet"],
    ["/", "not growing"],
  ]);
  expect(rows.map(({ children }) => children[2]?.className)).toEqual([
    ...["forecast soon", "forecast", "forecast soon", "forecast soft", "forecast soft"],
  ]);
});

test("each of several disks has a bar of its own", async () => {
  const disks = [
    { mount: "/", total: 10 * gigabyte, used: gigabyte },
    { mount: "/var", total: 10 * gigabyte, used: 9 * gigabyte },
  ];
  detail({ disks });
  render(<DetailPage id="8" />);
  await openTab("Disks");
  expect(bar("/var").firstElementChild?.className).toBe("red");
});

test.each(["abc", "1.5", "-1"])("the id %s is not a number: no call is made, and no server is found", async (id) => {
  render(<DetailPage id={id} />);
  await screen.findByRole("heading", { name: `Agent not found (ID ${id})` });
  expect(fakeServer.calls).toEqual([]);
});

test.each(["abc", "999"])("the document title is Servers where no server has the id %s", async (id) => {
  fakeServer.answer(() => refusal(404, "not_found"));
  render(
    <>
      <DocumentTitle />
      <DetailPage id={id} />
    </>,
  );
  await screen.findByRole("heading", { name: `Agent not found (ID ${id})` });
  await waitFor(() => expect(document.title).toBe("Servers · Wakeful"));
});

test("a server that does not exist is reported as missing, with its id", async () => {
  fakeServer.answer(() => refusal(404, "not_found"));
  render(<DetailPage id="999" />);
  await screen.findByRole("heading", { name: "Agent not found (ID 999)" });
});

test("a server deleted elsewhere is reported as missing after a refresh", async () => {
  detail({});
  render(<DetailPage id="11" />);
  await screen.findByRole("heading", { name: "Web server" });
  fakeServer.answer(() => refusal(404, "not_found"));
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByRole("heading", { name: "Agent not found (ID 11)" });
  expect(screen.queryByText("Online")).toBeNull();
});

test("deleting a server opens the list, and a refresh before that shows no error", async () => {
  detail({ status: "connecting" });
  history.replaceState(null, "", "/agents/12");
  render(
    <>
      <DetailPage id="12" />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "More actions" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  fakeServer.answer(({ method }) =>
    method === "DELETE" ? Response.json({ success: true }) : refusal(404, "not_found"),
  );
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("“Web server” was deleted");
  fakeServer.calls.length = 0;
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(fakeServer.calls.some(({ path }) => path === "/api/agents/12")).toBe(true));
  await waitFor(() => expect(location.pathname).toBe("/agents"));
  expect(screen.getByRole("heading", { name: "Web server" })).toBeTruthy();
  expect(screen.queryByText(/Could not refresh/)).toBeNull();
});

test("a server's page shows the agent's version and the disks that it cannot read", async () => {
  const unreadable_disks = [
    { mount: "/home/ann/data", reason: "permission" },
    { mount: "/nas", reason: "EIO" },
  ];
  detail({ agent_version: "0.9.7", update_available: true, agent_kind: "light", unreadable_disks });
  render(<DetailPage id="1" />);
  await openTab("About");
  await screen.findByText("Update available");
  const factOf = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  expect(["Version", "Program"].map(factOf)).toEqual(["0.9.7 Update available", "Light agent (shell script)"]);
  await openTab("Disks");
  expect(screen.getByText("/home/ann/data").closest("li")?.textContent).toBe(
    "/home/ann/data The agent’s user may not enter a folder above it.",
  );
  expect(screen.getByText("/nas").closest("li")?.textContent).toBe("/nas EIO");
});

test("a server's page says by how much its clock is wrong", async () => {
  detail({ clock_offset: 3600 });
  const { unmount } = render(<DetailPage id="1" />);
  await screen.findByText("Its clock is 1 hour ahead of the hub’s. The times of its figures are corrected.");
  unmount();
  detail({ clock_offset: -90 });
  render(<DetailPage id="2" />);
  await screen.findByText(/^Its clock is 1 minute 30 seconds behind/);
});

const outage = (kind: string, change: object = {}) => ({
  ...{
    id: 3,
    target_type: "agent",
    target_id: 7,
    target_name: "Web server",
    kind,
    error_code: null,
    error_detail: null,
  },
  ...{ last_error_code: null, checks_failed: null, started_at: new Date(Date.now() - 21 * 60_000).toISOString() },
  ...{ ended_at: null, ...change },
});
const problems = () => screen.queryByRole("region", { name: "Current problems" })?.textContent;

test("an offline server says since when and what it reported last, and is acknowledged in its head", async () => {
  detail({ status: "inactive", outages: [outage("offline"), outage("cpu", { id: 4 })] });
  render(<DetailPage id="20" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(problems()).toContain("Offline for 21 min");
  expect(problems()).toMatch(/last report .* · CPU 25.8%, memory 25% then/);
  expect(problems()).not.toContain("threshold");
  const button = screen.getByRole("button", { name: /^Acknowledge: / });
  expect([button.closest(".page-head") !== null, button.className]).toEqual([true, "acknowledge"]);
});

test("a server with a figure above its threshold says which one, and past outages say nothing", async () => {
  const disks = [
    { mount: "/", total: 100, used: 30 },
    { mount: "/var", total: 100, used: 97 },
  ];
  const thresholds = { cpu: 90, memory: null, disk: 95 };
  detail({
    disks,
    thresholds,
    outages: [outage("disk"), outage("offline", { id: 4, ended_at: "2026-01-01T00:00:00Z" })],
  });
  render(<DetailPage id="21" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(problems()).toContain("Disk /var 97%, threshold 95% · for 21 min");
  expect(problems()).not.toContain("Offline");
});

test("what is above a threshold of the user is named with its present figure, or else with that of the event", async () => {
  const own = { figure: 81, threshold: 80 };
  detail({
    disks: [{ mount: "/var", total: 100, used: 97 }],
    thresholds: { cpu: null, memory: null, disk: 99 },
    outages: [
      outage("disk", { ...own, subject: "/var" }),
      outage("temperature", { id: 4, subject: "gone", ...own }),
      outage("service", { id: 5, subject: "certbot.service" }),
    ],
  });
  render(<DetailPage id="31" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(problems()).toContain("Disk /var 97%, threshold 80%");
  expect(problems()).toContain("Temperature gone 81 °C, threshold 80 °C");
  expect(problems()).toContain("Service certbot.service failed");
});

test("a server that is well has no block of problems", async () => {
  detail({ outages: [outage("offline", { ended_at: "2026-01-01T00:00:00Z" })] });
  render(<DetailPage id="22" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(problems()).toBeUndefined();
});

test("the time since the system started is that of a server that reports, and the facts have the time of monitoring", async () => {
  const boot_time = new Date(Date.now() - 39 * 86_400_000).toISOString();
  const uptime = () => screen.getByText("Uptime").nextElementSibling?.textContent;
  detail({ boot_time });
  render(<DetailPage id="23" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(uptime()).toMatch(/^39 d/);
  detail({ boot_time, status: "inactive" });
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(uptime()).toBe("–"));
  await userEvent.click(screen.getByRole("tab", { name: "About" }));
  expect(screen.getByText("Monitored for").nextElementSibling?.textContent).toBe("1 day 2 hours 3 minutes");
});

test("a server that never reported has no figures, and says so", async () => {
  const none = { memory_total: null, memory_used: null, disk_total: null, disk_used: null };
  const change = { cpu_usage: null, network_rx: null, network_tx: null, load_average: null, updated_at: null };
  detail({ ...none, ...change, status: "connecting", interval: null });
  render(<DetailPage id="24" />);
  await screen.findByText("The agent has sent no resource metrics yet");
  expect(bar("CPU").getAttribute("aria-label")).toBe("CPU: 0%");
  expect(screen.getAllByText("No report yet").length).toBeGreaterThan(0);
  expect(screen.queryByText("Uptime")).toBeNull();
});

test("the alerts of a server have their own tab, to which the menu leads", async () => {
  detail({});
  history.replaceState(null, "", "/agents/25");
  render(<DetailPage id="25" />);
  await userEvent.click(await screen.findByRole("button", { name: "More actions" }));
  const item = screen.getByRole("menuitem", { name: /alert/i });
  expect(item.getAttribute("href")).toBe("/agents/1?tab=alerts");
  await userEvent.click(item);
  await waitFor(() => expect(screen.getByRole("tab", { name: "Alerts" }).getAttribute("aria-selected")).toBe("true"));
});
