import { expect, test } from "bun:test";
import { START } from "../../../src/testing/clock";
import { enrollAgent, sampleAt } from "../../../src/testing/fixtures/agents";
import { hubNow } from "../../lib/now";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { setWidth } from "../../testing/test-dom";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import EditPage from "./detail/edit-page";
import { agent, bar, gigabyte, list } from "./fixtures";
import ListPage from "./list/list-page";

setUpPage({ path: "/agents" });

/** Starts a hub where bob has servers with these names, which have reported once. */
const startWith = async (...names: string[]) => {
  const hub = await startHubAs("bob");
  for (const name of names) {
    const { report } = await enrollAgent(hub, hub.bob, { name });
    const usage = { cpu: 25.84, disk: { total: 100 * gigabyte, used: 95 * gigabyte }, network: { rx: 1536, tx: 20.5 } };
    await report([sampleAt(START, usage)]);
  }
  return { ...hub, names: async () => (await hub.client.get("/api/agents")).body.agents.map(({ name }) => name) };
};

const show = (page = <ListPage />) =>
  render(
    <>
      {page}
      <Toasts />
    </>,
  );

test("an empty list of servers offers to add one", async () => {
  await startWith();
  show();
  await screen.findByText("No servers yet");
  for (const link of screen.getAllByRole("link", { name: "Add server" }))
    expect(link.getAttribute("href")).toBe("/agents/create");
});

/** The chosen view is kept, so each test that needs cards goes back to rows. */
const choose = async (view: "Cards" | "List") => userEvent.click(await screen.findByRole("button", { name: view }));

test("a server's card shows the used share and amount of each resource, coloured by level", async () => {
  await startWith("Web server");
  show();
  await choose("Cards");
  await screen.findByRole("article");
  expect(bar("CPU").getAttribute("aria-label")).toBe("CPU: 25.8%");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 25% · 4 of 16 GB");
  expect(bar("Network").getAttribute("aria-label")).toBe("Network: ↓ 1.5 MB/s ↑ 20.5 KB/s");
  expect(["CPU", "Disk", "Network"].map((name) => bar(name).firstElementChild?.className)).toEqual([
    "green",
    "red",
    "neutral",
  ]);
  expect(localStorage.getItem("agents.view")).toBe("grid");
  await choose("List");
});

test("a server without a report shows zero for every resource, with the reason", async () => {
  const hub = await startHubAs("bob");
  await enrollAgent(hub, hub.bob);
  show();
  await choose("Cards");
  await screen.findByText("The agent has sent no resource metrics yet");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 0%");
  expect(screen.getByText("No report yet")).toBeTruthy();
  await choose("List");
});

const rows = () => [...document.querySelectorAll("tr[data-id]")];
const shownNames = () => rows().map((row) => row.querySelector("a")?.textContent);

test("filters of servers show their counts, and the server filters and sorts the list", async () => {
  const hub = await startWith("Web 10", "Web 2");
  await enrollAgent(hub, hub.bob, { name: "New one" });
  show();
  await screen.findByRole("button", { name: "All 3" });
  // Those without a report come first.
  await waitFor(() => expect(shownNames()).toEqual(["New one", "Web 2", "Web 10"]));
  await userEvent.click(await screen.findByRole("button", { name: "Online 2" }));
  await waitFor(() => expect(shownNames()).toEqual(["Web 2", "Web 10"]));
  await userEvent.type(screen.getByRole("searchbox"), "web 10");
  await waitFor(() => expect(shownNames()).toEqual(["Web 10"]));
});

test("a long list of servers loads its first page, and renders the items near the viewport", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `Server ${index + 1}`);
  fakeServer.answer((request) => {
    const query = new URL(request.url).searchParams;
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    const page = names.slice(offset, offset + limit).map((name, index) => agent({ id: offset + index + 1, name }));
    const counts = { all: names.length, active: names.length, inactive: 0, connecting: 0 };
    return Response.json({ success: true, total: names.length, counts, agents: page });
  });
  show();
  await screen.findByRole("button", { name: "All 150" });
  await screen.findByRole("link", { name: "Server 2" });
  expect(rows().length).toBeLessThan(80);
  expect(fakeServer.calls.map(({ path }) => path)[0]).toBe("/api/agents?offset=0&limit=100&sort=status&order=asc");
});

test("the table of servers has the identity, the status and the figures of each, and its heads sort", async () => {
  await startWith("Web server");
  setWidth(1600);
  show();
  const table = within(await screen.findByRole("table"));
  expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
    ...["Name", "Status", "CPU", "Memory", "Disk", "Network", "Traffic", "Load", "Uptime"],
    ...["Last report", "IP", "Host", "OS"],
    ...["System version", "Actions"],
  ]);
  const row = table.getAllByRole("row").at(-1);
  for (const shown of ["Web server", "db-1", "10.0.0.5", "Online", "Debian GNU/Linux 12", "6.1.0"])
    expect(row?.textContent).toContain(shown);
  expect(bar("CPU").getAttribute("aria-label")).toBe("CPU: 26%");
  expect(row?.querySelector(".network")?.textContent).toBe("↓\u00a01.5\u00a0MB/s ↑\u00a021\u00a0KB/s");
  await userEvent.click(table.getByRole("button", { name: "CPU" }));
  await waitFor(() => expect(fakeServer.calls.at(-1)?.path).toContain("sort=cpu&order=desc"));
  expect(location.search).toBe("?sort=cpu");
  await userEvent.click(table.getByRole("button", { name: "Status" }));
});

test("the table begins with the status and the figures of each server, and names its machine as far as there is room", async () => {
  await startWith("Web server");
  const headsAt = async (width: number) => {
    setWidth(width);
    show();
    const table = within(await screen.findByRole("table"));
    const heads = table.getAllByRole("columnheader").map((cell) => cell.textContent);
    cleanup();
    return heads;
  };
  const figures = ["Name", "Status", "CPU", "Memory", "Disk"];
  const latest = ["Uptime", "Last report"];
  expect(await headsAt(700)).toEqual([...figures, "Actions"]);
  expect(await headsAt(1024)).toEqual([...figures, "Network", ...latest, "Actions"]);
  expect(await headsAt(1280)).toEqual([...figures, "Network", ...latest, "IP", "Host", "Actions"]);
  expect(await headsAt(1920)).toEqual([
    ...[...figures, "Network", "Traffic", "Load", "Temp.", ...latest],
    ...["IP", "Host", "OS", "System version", "Agent", "Actions"],
  ]);
});

test("a column that is not chosen leaves room for the next, and stays away after a reload", async () => {
  await startWith("Web server");
  show();
  const heads = () => screen.getAllByRole("columnheader").map((cell) => cell.textContent);
  await screen.findByRole("table");
  await userEvent.click(screen.getByRole("button", { name: "Choose columns" }));
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Network" }));
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "CPU" }));
  expect(heads().slice(2, -1)).toEqual([
    "Memory",
    "Disk",
    "Uptime",
    "Last report",
    "IP",
    "Host",
    "OS",
    "System version",
  ]);
  expect(localStorage.getItem("agents.hiddenColumns")).toBe("network cpu");
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "CPU" }));
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Network" }));
  expect(heads().slice(2, -1)).toEqual(["CPU", "Memory", "Disk", "Network", "Uptime", "Last report", "IP", "Host"]);
});

test("a row says when its first disk will be full, which disk that is, and the list sorts by it", async () => {
  const at = (hours: number) => new Date(hubNow() + hours * 3_600_000).toISOString();
  const forecast = (mount: string, hours: number) => ({ mount, outlook: "filling" as const, full_at: at(hours) });
  fakeServer.answer(() =>
    list(
      agent({ name: "Soon", disk_forecast: forecast("/srv/data", 43.2) }),
      agent({ id: 2, name: "Later", disk_forecast: forecast("/", 42 * 24) }),
      agent({ id: 3, name: "Steady", disk_forecast: { mount: "/", outlook: "not_growing", full_at: null } }),
      agent({ id: 4, name: "New", disk_forecast: { mount: "/", outlook: "unknown", full_at: null } }),
      agent({ id: 5, name: "Simple" }),
    ),
  );
  show();
  const rows = within(await screen.findByRole("table"))
    .getAllByRole("row")
    .slice(1);
  const cells = rows.map((row) => row.querySelector("td.full"));
  expect(cells.map((cell) => cell?.textContent)).toEqual(["43 h", "≈ 6 weeks", "not growing", "–", "–"]);
  expect(cells[0]?.className).toBe("full soon");
  expect(screen.getByTitle("/srv/data: full in 43 h")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Disk full" }));
  await waitFor(() => expect(fakeServer.calls.at(-1)?.path).toContain("sort=disk_full&order=asc"));
  await userEvent.click(screen.getByRole("button", { name: "Status" }));
});

test("a row has dashes in place of what its server does not report", async () => {
  const none = { cpu_usage: null, memory_total: null, memory_used: null, disk_total: null, disk_used: null };
  const change = { network_rx: null, network_tx: null, load_average: null, boot_time: null, updated_at: null };
  const booted = { boot_time: new Date(hubNow() - 39.5 * 86_400_000).toISOString() };
  const since = new Date().toISOString();
  fakeServer.answer(() =>
    list(
      agent({ ...none, ...change, name: "New", status: "connecting" }),
      agent({ id: 2, name: "Gone", status: "inactive", since, ...booted }),
      agent({
        id: 3,
        name: "Well",
        ...booted,
        load_average: [12.345, 1, 1],
        temperature: 61.4,
        agent_version: "1.4.2",
        update_available: true,
      }),
    ),
  );
  setWidth(1920);
  show();
  await screen.findByRole("link", { name: "Well" });
  const cells = (...names: string[]) =>
    rows().map((row) => names.map((name) => row.querySelector(`.${name}`)?.textContent ?? ""));
  expect(cells("network", "load", "temperature", "uptime", "report", "agent")).toEqual([
    ["–", "–", "–", "–", "No report yet", "–"],
    ["↓\u00a01.5\u00a0MB/s ↑\u00a021\u00a0KB/s", "0.40", "–", "–", expect.any(String), "–"],
    ["↓\u00a01.5\u00a0MB/s ↑\u00a021\u00a0KB/s", "12.35", "61°", "39 d", expect.any(String), "1.4.2Update available"],
  ]);
  expect(cells("state")).toEqual([["Connecting"], [expect.stringMatching(/^Offline since /)], ["Online"]]);
});

test("deleting a server asks for confirmation, then removes it from the list", async () => {
  const { names } = await startWith("Web server", "Spare");
  show();
  await userEvent.click(await screen.findByRole("button", { name: "More actions: Spare" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  expect(await names()).toEqual(["Web server", "Spare"]);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Spare").length).toBe(0));
  expect(await names()).toEqual(["Web server"]);
});

test("deleting a server that no longer exists counts as deleted", async () => {
  const { client } = await startWith("Web server", "Lost");
  show();
  await userEvent.click(await screen.findByRole("button", { name: "More actions: Lost" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  await client.delete("/api/agents/2");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("“Lost” was deleted");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "Lost" }).length).toBe(0));
});

test("a server's name is edited, and saving it opens the list", async () => {
  const { names } = await startWith("Web server");
  history.replaceState(null, "", "/agents/edit/1");
  show(<EditPage id="1" />);
  const field = await screen.findByLabelText<HTMLInputElement>("Name *");
  expect(screen.queryByLabelText(/Hostname/)).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, " Mail server ");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved");
  await waitFor(() => expect(location.pathname).toBe("/agents"));
  expect(await names()).toEqual(["Mail server"]);
});

test("a failed rename shows the reason and keeps the typed name", async () => {
  const { failNextChange } = await startWith("Web server");
  failNextChange();
  show(<EditPage id="1" />);
  await userEvent.type(await screen.findByLabelText("Name *"), "!");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Update failed");
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Web server!");
});

test("addresses sent as the JSON text of a list are shown as a list, and invalid JSON as none", async () => {
  const wire = { ...agent({}), ip_addresses: '["192.0.2.77"]' } as unknown as ReturnType<typeof agent>;
  const broken = { ...wire, id: 2, name: "Broken", ip_addresses: "[" as unknown as string[] };
  fakeServer.answer(() => list(wire, broken));
  history.replaceState(null, "", "/agents");
  render(<ListPage />);
  await screen.findByText("Broken");
  expect(await screen.findByText(/192\.0\.2\.77/)).toBeTruthy();
});
