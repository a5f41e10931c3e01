import "../../../testing/test-dom";

import { expect, onTestFinished, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { checkError } from "../../../../src/shared/check-error";
import { START } from "../../../../src/testing/clock";
import { addMonitor, record } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { dashboardAtom } from "../../problems/api";
import ListPage from "./list-page";

setUpPage({ path: "/monitors" });

/** The queries of the list's calls. */
const queries = () =>
  fakeServer.calls
    .filter(({ path }) => path.startsWith("/api/monitors?"))
    .map(({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1])));

/** The rows of loaded monitors. */
const rows = () => [...document.querySelectorAll("tr[data-id]")];

/** A hub where bob has this number of paused monitors. */
const startWith = async (count: number) => {
  const hub = await startHubAs("bob");
  const monitors = Array.from({ length: count }, (_, index) => ({
    ...{ name: `Monitor ${index + 1}`, url: "https://example.com/", interval: 60, active: false },
  }));
  await hub.client.post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
  return hub;
};

test("a long list loads its first page, and renders the items near the viewport", async () => {
  await startWith(150);
  render(<ListPage />);
  await screen.findByRole("button", { name: "All 150" });
  await screen.findByRole("link", { name: "Monitor 2" });
  expect(rows().length).toBeLessThan(80);
  expect(queries()[0]).toEqual({
    fields: "compact",
    history: "40",
    offset: "0",
    limit: "100",
    sort: "status",
    order: "asc",
  });
});

test("a search asks the server once typing pauses", async () => {
  await startWith(120);
  render(<ListPage />);
  await screen.findByRole("link", { name: "Monitor 2" });
  const before = queries().length;
  await userEvent.type(screen.getByRole("searchbox"), "monitor 11");
  await screen.findByRole("link", { name: "Monitor 119" });
  await waitFor(() => expect(rows()).toHaveLength(11));
  const searches = queries().slice(before);
  expect(searches.at(-1)).toMatchObject({ search: "monitor 11", offset: "0" });
  expect(searches.length).toBeLessThan(10);
});

test("monitors that are slow are amber above the list and in it, and can be filtered", async () => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Bank"]) await addMonitor(hub, hub.bob, { url: "https://example.com/", name });
  await record(
    hub,
    1,
    [4, 3, 2, 1].map((before) => ({ at: START - before * 60_000, slow: before < 4 })),
  );
  await record(hub, 2, [{ at: START }]);
  await getDefaultStore().set(dashboardAtom);
  render(<ListPage />);
  const block = within(await screen.findByRole("region", { name: "Current problems" }));
  expect(block.getByRole("article").className).toBe("problem soon");
  expect(block.getByRole("article").textContent).toContain("The response took longer than 800 ms in 3 of 5 checks");
  expect(rows().map((row) => row.getAttribute("data-id"))).toEqual(["2"]);
  await userEvent.click(screen.getByRole("button", { name: "Slow 1" }));
  await waitFor(() => expect(rows().map((row) => row.className)).toEqual(["degraded"]));
  expect(rows()[0]?.querySelector(".state")?.textContent).toContain("The response took longer than 800 ms");
  expect(screen.getAllByLabelText(/Last 4 checks: 4 up, 0 down, 3 of them slow/).length).toBeGreaterThan(0);
});

test("monitors that are down stand above the list with why and since when, and not in it again", async () => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Bank"]) await addMonitor(hub, hub.bob, { url: "https://example.com/", name });
  await record(hub, 1, [
    { at: START - 120_000 },
    { at: START - 60_000, up: false, time: null, error: checkError("timeout", { seconds: 5 }) },
  ]);
  await record(hub, 2, [{ at: START }]);
  onTestFinished(getDefaultStore().sub(dashboardAtom, () => {}));
  render(<ListPage />);
  const block = within(await screen.findByRole("region", { name: "Current problems" }));
  expect(block.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["–", "25.00%"]);
  expect(block.getByRole("article").textContent).toContain("No complete answer within 5 s");
  expect(rows().map((row) => row.getAttribute("data-id"))).toEqual(["2"]);
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test("a column that the viewer does not want is left out, also the next time", async () => {
  await startWith(2);
  const { unmount } = render(<ListPage />);
  await screen.findByRole("link", { name: "Monitor 1" });
  const table = () => document.querySelector(".monitor-rows")?.className;
  expect(table()).toBe("card rows monitor-rows with-words");
  await userEvent.click(screen.getByRole("button", { name: "Choose columns" }));
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Last check" }));
  expect(table()).toBe("card rows monitor-rows with-words without-checked");
  unmount();
  render(<ListPage />);
  await waitFor(() => expect(table()).toBe("card rows monitor-rows with-words without-checked"));
});
