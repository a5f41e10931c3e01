import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { START } from "../../../src/testing/clock";
import { addMonitor, record } from "../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitFor, waitUntilGone, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import ListPage from "./list/list-page";

setUpPage({ path: "/monitors" });

/** Starts a hub where bob has these monitors. */
const startWith = async (...monitors: { name: string; active?: boolean }[]) => {
  const hub = await startHubAs("bob");
  for (const monitor of monitors) await addMonitor(hub, hub.bob, { url: "https://example.com/", ...monitor });
  return hub;
};

const show = () =>
  render(
    <>
      <ListPage />
      <Toasts />
    </>,
  );

const rows = () => [...document.querySelectorAll("tr[data-id]")];

/** Opens the dialog that asks before a monitor of the list is deleted. Returns its button. */
const openDeletion = async (name: string) => {
  await userEvent.click(await screen.findByRole("button", { name: `More actions: ${name}` }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByRole("heading").textContent).toBe(`Delete “${name}”?`);
  return dialog.getByRole("button", { name: "Delete" });
};

const deleteMonitor = async (name: string) => userEvent.click(await openDeletion(name));

test("an empty list of monitors offers to create one", async () => {
  await startWith();
  show();
  await screen.findByText("No monitors yet");
  expect(screen.getAllByRole("link", { name: "Add monitor" })).toHaveLength(1);
});

test("filters of monitors show their counts and narrow the list", async () => {
  await startWith({ name: "Website" }, { name: "Old", active: false }, { name: "API" });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Paused 1" }));
  await waitFor(() => expect(rows()).toHaveLength(1));
  await userEvent.click(screen.getByRole("button", { name: "All 3" }));
  await userEvent.type(screen.getByRole("searchbox"), "web");
  await waitUntilGone(() => screen.queryByRole("link", { name: "Old" }));
  expect((await screen.findByRole("link", { name: "Website" })).getAttribute("href")).toBe("/monitors/1");
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test("the rows of monitors show status, uptime and response time, and the chosen view is stored", async () => {
  const hub = await startWith({ name: "Website" });
  await record(hub, 1, [
    { at: START - 60_000, up: false },
    { at: START, time: 84.2 },
  ]);
  hub.clock.set(START + 60_000);
  show();
  const row = within(await screen.findByRole("table"))
    .getAllByRole("row")
    .at(-1);
  for (const shown of ["Website", "50.00%", "84"]) expect(row?.textContent).toContain(shown);
  await userEvent.click(screen.getByRole("button", { name: "Cards" }));
  expect(within(await screen.findByRole("article")).getByRole("heading").textContent).toBe("Website");
  expect(localStorage.getItem("monitors.view")).toBe("grid");
});

test("deleting a monitor asks for confirmation, then removes it from the list", async () => {
  const hub = await startWith({ name: "Website" }, { name: "Doomed" });
  show();
  await deleteMonitor("Doomed");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "Doomed" }).length).toBe(0));
  expect(screen.getByText("Website")).toBeTruthy();
  expect((await hub.client.get("/api/monitors")).body.monitors.map(({ name }) => name)).toEqual(["Website"]);
});

test("a failed deletion shows an alert, and the monitor stays", async () => {
  const hub = await startWith({ name: "Website" });
  hub.failNextChange();
  show();
  await deleteMonitor("Website");
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to delete monitor");
  expect(screen.getByText("Website")).toBeTruthy();
});

test("deleting a monitor that no longer exists counts as deleted", async () => {
  const hub = await startWith({ name: "Website" }, { name: "Lost" });
  show();
  await screen.findByRole("link", { name: "Lost" });
  const button = await openDeletion("Lost");
  await hub.client.delete("/api/monitors/2");
  await userEvent.click(button);
  await screen.findByText("“Lost” was deleted");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "Lost" }).length).toBe(0));
});
