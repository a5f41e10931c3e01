import "../../lib/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { startI18n } from "../../i18n";
import { forgetResources } from "../../lib/resource";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../lib/test-page";
import { Toasts } from "../../ui/toast";
import type { Agent } from "./calls";
import DetailPage from "./detail-page";
import EditPage from "./edit-page";
import ListPage from "./list-page";

const gigabyte = 1024 ** 3;
const agent = (change: Partial<Agent>): Agent => ({
  id: 1,
  name: "Web server",
  hostname: "web-1",
  ip_addresses: ["192.0.2.10", "10.0.0.10", "2001:db8::10"],
  os: "Debian GNU/Linux 12",
  version: "6.1.0",
  status: "active",
  cpu_usage: 25.8,
  memory_total: 16 * gigabyte,
  memory_used: 4 * gigabyte,
  disk_total: 100 * gigabyte,
  disk_used: 80 * gigabyte,
  network_rx: 1536,
  network_tx: 20.5,
  load_average: [0.4, 0.35, 0.3],
  boot_time: null,
  interval: 60,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-02T02:03:04.000Z",
  ...change,
});
const list = (...agents: Agent[]) =>
  Response.json({
    success: true,
    total: agents.length,
    counts: { all: agents.length, active: 0, inactive: 0, connecting: 0 },
    agents,
  });
const detail = (change: object) =>
  fakeServer.answer((_request, path) =>
    Response.json(
      path.endsWith("/metrics")
        ? { success: true, points: [] }
        : { success: true, agent: { ...agent({}), disks: null, swap: null, ...change } },
    ),
  );
const refusal = (status: number, code: string) => Response.json({ success: false, code, message: "" }, { status });
const bar = (name: string) => screen.getByRole("img", { name: new RegExp(`^${name}: `) });

beforeEach(async () => {
  forgetResources();
  fakeServer.reset();
  localStorage.setItem("i18nextLng", "en-US");
  history.replaceState(null, "", "/agents");
  await startI18n();
});
afterEach(cleanup);

test("without servers the list offers to add one", async () => {
  fakeServer.answer(() => list());
  render(<ListPage />);
  await screen.findByText("No servers yet");
  for (const link of screen.getAllByRole("link", { name: "Add a server" }))
    expect(link.getAttribute("href")).toBe("/agents/create");
});

test("a card shows what is used of what there is, in the colour of its level", async () => {
  fakeServer.answer(() => list(agent({})));
  render(<ListPage />);
  await screen.findByRole("article");
  expect(bar("CPU").getAttribute("aria-label")).toBe("CPU: 25.8%");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 25% · 4 of 16 GB");
  expect(bar("Network").getAttribute("aria-label")).toBe("Network: ↓ 1.5 MB/s ↑ 20.5 KB/s");
  expect(["CPU", "Disk", "Network"].map((name) => bar(name).firstElementChild?.className)).toEqual([
    "green",
    "red",
    "red",
  ]);
});

test("one that never reported is all zero, and it is said why", async () => {
  fakeServer.answer(() => list(agent({ status: "connecting", cpu_usage: null, updated_at: null })));
  render(<ListPage />);
  await screen.findByText("Client has no resource metrics data");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 0%");
  expect(screen.getByText("No report yet")).toBeTruthy();
});

test("filters say how many they hold; a status that nobody knows is offline", async () => {
  fakeServer.answer(() =>
    list(agent({}), agent({ id: 2, name: "Backup", status: "inactive" }), {
      ...agent({ id: 3, name: "Odd" }),
      status: "unheard of" as "active",
    }),
  );
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Offline 2" }));
  const names = () => screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
  await waitFor(() => expect(names()).toEqual(["Backup", "Odd"]));
});

test("the table has name, host, IP, status, system, version and actions, and the choice stays", async () => {
  fakeServer.answer(() => list(agent({})));
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "List" }));
  const table = within(await screen.findByRole("table"));
  expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
    "Name",
    "Host",
    "IP",
    "Status",
    "OS",
    "Version",
    "Actions",
  ]);
  expect(table.getAllByRole("row").at(-1)?.textContent).toContain("192.0.2.10");
  expect(localStorage.getItem("agents.view")).toBe("list");
  await userEvent.click(screen.getByRole("button", { name: "Cards" }));
});

test("deleting asks first, then removes the server from the list", async () => {
  let present = [agent({}), agent({ id: 2, name: "Doomed" })];
  fakeServer.answer(({ method }) => {
    if (method !== "DELETE") return list(...present);
    present = present.filter(({ id }) => id !== 2);
    return Response.json({ success: true });
  });
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Doomed" }));
  expect(fakeServer.calls.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Doomed").length).toBe(0));
  expect(fakeServer.calls.find(({ method }) => method === "DELETE")?.path).toBe("/api/agents/2");
});

test("the detail tells addresses, uptime and what the machine is", async () => {
  detail({ disks: [{ mount: "/", total: 10, used: 9 }], swap: { total: 2 * gigabyte, used: gigabyte } });
  render(<DetailPage id="7" />);
  await screen.findByRole("heading", { name: "Web server" });
  expect(screen.getByText("(plus 2 more)")).toBeTruthy();
  expect(screen.getByText("1 day 2 hours 3 minutes")).toBeTruthy();
  expect(screen.getByText("2001:db8::10")).toBeTruthy();
  expect(bar("Swap").getAttribute("aria-label")).toBe("Swap: 50% · 1 of 2 GB");
  await screen.findByText("No data in this range yet");
});

test("several disks are shown one by one", async () => {
  const disks = [
    { mount: "/", total: 10 * gigabyte, used: gigabyte },
    { mount: "/var", total: 10 * gigabyte, used: 9 * gigabyte },
  ];
  detail({ disks });
  render(<DetailPage id="8" />);
  expect((await screen.findByRole("img", { name: /^\/var: / })).firstElementChild?.className).toBe("red");
});

test.each(["abc", "1.5", "-1"])("the id %s is no number: nothing is asked for, nothing found", async (id) => {
  render(<DetailPage id={id} />);
  await screen.findByRole("heading", { name: `Agent not found (ID ${id})` });
  expect(fakeServer.calls).toEqual([]);
});

test("a server that is not there is said to be missing, by its id", async () => {
  fakeServer.answer(() => refusal(404, "not_found"));
  render(<DetailPage id="999" />);
  await screen.findByRole("heading", { name: "Agent not found (ID 999)" });
});

test("only the name can be changed, then the list opens again", async () => {
  detail({});
  history.replaceState(null, "", "/agents/edit/9");
  render(
    <>
      <EditPage id="9" />
      <Toasts />
    </>,
  );
  const field = await screen.findByLabelText<HTMLInputElement>("Name *");
  expect(screen.getAllByRole("textbox")).toHaveLength(1);
  await userEvent.clear(field);
  await userEvent.type(field, " Mail server ");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved");
  const sent = fakeServer.calls.find(({ method }) => method === "PUT");
  expect(sent).toMatchObject({ path: "/api/agents/9", body: { name: "Mail server" } });
  await waitFor(() => expect(location.pathname).toBe("/agents"));
});

test("a name that the server refuses is told, and what was typed stays", async () => {
  fakeServer.answer(({ method }, path) =>
    method === "PUT"
      ? refusal(500, "internal")
      : Response.json(
          path.endsWith("/metrics")
            ? { success: true, points: [] }
            : { success: true, agent: { ...agent({}), disks: null, swap: null } },
        ),
  );
  render(<EditPage id="10" />);
  await userEvent.type(await screen.findByLabelText("Name *"), "!");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Update failed");
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Web server!");
});
