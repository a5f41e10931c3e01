import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import EditPage from "./detail/edit-page";
import { agent, bar, detail, list, refusal } from "./fixtures";
import ListPage from "./list/list-page";

setUpPage({ path: "/agents" });

test("an empty list of servers offers to add one", async () => {
  fakeServer.answer(() => list());
  render(<ListPage />);
  await screen.findByText("No servers yet");
  for (const link of screen.getAllByRole("link", { name: "Add a server" }))
    expect(link.getAttribute("href")).toBe("/agents/create");
});

test("a server's card shows the used share and amount of each resource, coloured by level", async () => {
  fakeServer.answer(() => list(agent({})));
  render(<ListPage />);
  await screen.findByRole("article");
  expect(bar("CPU").getAttribute("aria-label")).toBe("CPU: 25.8%");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 25% · 4 of 16 GB");
  expect(bar("Network").getAttribute("aria-label")).toBe("Network: ↓ 1.5 MB/s ↑ 20.5 KB/s");
  expect(["CPU", "Disk", "Network"].map((name) => bar(name).firstElementChild?.className)).toEqual([
    "green",
    "red",
    "neutral",
  ]);
});

test("a server without a report shows zero for every resource, with the reason", async () => {
  fakeServer.answer(() => list(agent({ status: "connecting", cpu_usage: null, updated_at: null })));
  render(<ListPage />);
  await screen.findByText("Client has no resource metrics data");
  expect(bar("Memory").getAttribute("aria-label")).toBe("Memory: 0%");
  expect(screen.getByText("No report yet")).toBeTruthy();
});

test("filters of servers show their counts, and an unknown status counts as offline", async () => {
  fakeServer.answer(() =>
    list(agent({}), agent({ id: 2, name: "Backup", status: "inactive" }), {
      ...agent({ id: 3, name: "Unknown" }),
      status: "unknown" as "active",
    }),
  );
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Offline 2" }));
  const names = () => screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
  await waitFor(() => expect(names()).toEqual(["Backup", "Unknown"]));
});

test("the table of servers has name, host, IP, status, system, version and actions, and the chosen view is stored", async () => {
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
    "System version",
    "Actions",
  ]);
  expect(table.getAllByRole("row").at(-1)?.textContent).toContain("192.0.2.10");
  expect(localStorage.getItem("agents.view")).toBe("list");
  await userEvent.click(screen.getByRole("button", { name: "Cards" }));
});

test("deleting a server asks for confirmation, then removes it from the list", async () => {
  let present = [agent({}), agent({ id: 2, name: "Spare" })];
  fakeServer.answer(({ method }) => {
    if (method !== "DELETE") return list(...present);
    present = present.filter(({ id }) => id !== 2);
    return Response.json({ success: true });
  });
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Spare" }));
  expect(fakeServer.calls.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Spare").length).toBe(0));
  expect(fakeServer.calls.find(({ method }) => method === "DELETE")?.path).toBe("/api/agents/2");
});

test("deleting a server that no longer exists counts as deleted", async () => {
  fakeServer.answer(({ method }) =>
    method === "DELETE" ? refusal(404, "not_found") : list(agent({}), agent({ id: 2, name: "Lost" })),
  );
  render(
    <>
      <ListPage />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Lost" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("“Lost” was deleted");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "Lost" }).length).toBe(0));
});

test("a server's name is the only editable field, and saving it opens the list", async () => {
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

test("a failed rename shows the reason and keeps the typed name", async () => {
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

test("addresses sent as the JSON text of a list are shown as a list, and invalid JSON as none", async () => {
  const wire = { ...agent({}), ip_addresses: '["192.0.2.77"]' } as unknown as ReturnType<typeof agent>;
  const broken = { ...wire, id: 2, name: "Broken", ip_addresses: "[" as unknown as string[] };
  fakeServer.answer(() => list(wire, broken));
  history.replaceState(null, "", "/agents");
  localStorage.setItem("agents.view", "list");
  render(<ListPage />);
  await screen.findByText("Broken");
  await userEvent.click(screen.getByRole("button", { name: "List" }));
  expect(await screen.findByText(/192\.0\.2\.77/)).toBeTruthy();
});
