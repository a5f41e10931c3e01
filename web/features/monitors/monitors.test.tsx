import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { list, missing, monitor } from "./fixtures";
import ListPage from "./list/list-page";

setUpPage({ path: "/monitors" });

test("an empty list of monitors offers to create one", async () => {
  fakeServer.answer(() => list());
  render(<ListPage />);
  await screen.findByText("No monitors yet");
  expect(screen.getAllByRole("link", { name: "New monitor" })).toHaveLength(2);
});

test("filters of monitors show their counts and narrow the list", async () => {
  fakeServer.answer(() =>
    list(
      monitor({}),
      monitor({ id: 2, name: "Old", active: false, status: "paused" }),
      monitor({ id: 3, name: "API" }),
    ),
  );
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Paused 1" }));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  await userEvent.click(screen.getByRole("button", { name: "All 3" }));
  await userEvent.type(screen.getByRole("searchbox"), "web");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  expect(screen.getByRole("link", { name: "Website" }).getAttribute("href")).toBe("/monitors/1");
});

test("the chosen view of monitors is stored", async () => {
  fakeServer.answer(() => list(monitor({})));
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "List" }));
  const row = within(await screen.findByRole("table"))
    .getAllByRole("row")
    .at(-1);
  expect(row?.textContent).toContain("99.50%");
  expect(localStorage.getItem("monitors.view")).toBe("list");
});

test("deleting a monitor asks for confirmation, then removes it from the list", async () => {
  let present = [monitor({}), monitor({ id: 2, name: "Doomed" })];
  fakeServer.answer(({ method }) => {
    if (method !== "DELETE") return list(...present);
    present = present.filter(({ id }) => id !== 2);
    return Response.json({ success: true });
  });
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Doomed" }));
  const dialog = screen.getByRole("dialog");
  expect(within(dialog).getByRole("heading").textContent).toBe("Delete “Doomed”?");
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Doomed").length).toBe(0));
  expect(screen.getByText("Website")).toBeTruthy();
});

test("a failed deletion shows an alert, and the monitor stays", async () => {
  fakeServer.answer(({ method }) =>
    method === "DELETE"
      ? Response.json({ success: false, code: "internal", message: "" }, { status: 500 })
      : list(monitor({})),
  );
  render(
    <>
      <ListPage />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Website" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to delete monitor");
  expect(screen.getByText("Website")).toBeTruthy();
});

test("deleting a monitor that no longer exists counts as deleted", async () => {
  fakeServer.answer(({ method }) =>
    method === "DELETE" ? missing() : list(monitor({}), monitor({ id: 2, name: "Lost" })),
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
