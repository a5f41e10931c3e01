import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import EditPage from "./detail/edit-page";
import { agent, bar, detail, list, refusal } from "./fixtures";
import ListPage from "./list/list-page";

setUpPage({ path: "/agents" });

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
    "neutral",
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
    "System version",
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

test("a server that somebody else has deleted meanwhile is as deleted as one wanted it", async () => {
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

test("addresses that are sent as the JSON text of a list are shown like a list", async () => {
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
