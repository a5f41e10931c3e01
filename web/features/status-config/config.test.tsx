import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { enrollAgent } from "../../../src/testing/fixtures/agents";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { publish, readStatusConfig, type StatusConfig } from "../../../src/testing/fixtures/status-page";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import ConfigPage from "./config-page";

// Without room for the preview beside the form, which the tests of the whole program show.
setUpPage({ width: 1000 });

/** Starts a hub where bob's status page shows the first of two monitors and a server, and opens its configuration. */
const open = async (
  query = "",
  page: object = {},
  prepare: (hub: Awaited<ReturnType<typeof startHubAs>>) => Promise<void> = async () => {},
) => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Bank"]) await addMonitor(hub, hub.bob, { url: "https://example.com/", name });
  const { id } = await enrollAgent(hub, hub.bob, { name: "Web" });
  await publish(hub, hub.bob, { title: "Acme", monitors: [1], agents: [id], ...page });
  await prepare(hub);
  history.replaceState(null, "", `/status/config${query}`);
  render(
    <>
      <ConfigPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
  return { ...hub, saved: () => readStatusConfig(hub, hub.bob) };
};
const isChosen = (name: string) => screen.getByRole("tab", { name }).getAttribute("aria-selected");
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

test("the configuration opens the tab of its address", async () => {
  await open("?tab=agents");
  expect(isChosen("Servers")).toBe("true");
  await userEvent.click(screen.getByRole("tab", { name: "Services" }));
  expect([location.search, isChosen("Services")]).toEqual(["?tab=services", "true"]);
  await userEvent.click(screen.getByRole("tab", { name: "General" }));
  expect([location.search, isChosen("General")]).toEqual(["", "true"]);
});

test("a refused configuration opens the tab of the invalid field and focuses it", async () => {
  await open();
  await userEvent.type(screen.getByRole("textbox", { name: "Logo URL" }), "http://x.example/y.png");
  await userEvent.click(screen.getByRole("tab", { name: "Servers" }));
  await save();
  await waitFor(() => expect(isChosen("General")).toBe("true"));
  const field = screen.getByRole("textbox", { name: "Logo URL" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("hostname, system and kernel of servers are shown by separate switches", async () => {
  const { saved } = await open("?tab=agents");
  const states = () => screen.getAllByRole("switch").map((one) => one.getAttribute("aria-checked"));
  expect(states()).toEqual(["true", "true", "true"]);
  await userEvent.click(screen.getByRole("switch", { name: "Show operating systems" }));
  expect(states()).toEqual(["true", "false", "true"]);
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () =>
    expect(await saved()).toMatchObject({ show_hostname: true, show_os: false, show_version: true }),
  );
});

test("the theme of the page is chosen and saved", async () => {
  const { saved } = await open();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Theme" }), "The visitor's own");
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () => expect((await saved()).theme).toBe("auto"));
});

test("saving stores the title and the selected services", async () => {
  const { saved } = await open();
  await userEvent.clear(screen.getByDisplayValue("Acme"));
  await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "Our services");
  await userEvent.click(screen.getByRole("tab", { name: "Services" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Bank" }));
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () => expect((await saved()).title).toBe("Our services"));
  expect((await saved()).monitors.map(({ selected }) => selected)).toEqual([true, true]);
});

test("the addresses of the badges of published services have copy buttons", async () => {
  await open("?tab=services");
  expect(screen.getByText(/\/badge\/1\.svg$/)).toBeDefined();
  expect(screen.getByText(/\/badge\/1\.svg\?type=uptime&days=30$/)).toBeDefined();
  const options = screen.getAllByRole<HTMLOptionElement>("option").map(({ textContent }) => textContent);
  expect(options).toEqual(["Shop"]);
});

test("the removed parts of the stylesheet are listed below it", async () => {
  await open("", { customCss: "h1 { background: url(https://example.com/x.png) }" });
  expect(screen.getByText("background: url(https://example.com/x.png)")).toBeDefined();
});

test("monitors beyond the listed ones are found by a search and stay chosen", async () => {
  const { saved } = await open("?tab=services", {}, async (hub) => {
    await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Hidden" });
    // As if the list were limited to two monitors; the limit of the hub is 1,000.
    fakeServer.answer(async (request) => {
      const response = await hub.send(request);
      if (request.method !== "GET" || !request.url.endsWith("/config")) return response;
      const { config } = (await response.json()) as { config: StatusConfig };
      return Response.json({ success: true, config: { ...config, monitors: config.monitors.slice(0, 2) } });
    });
  });
  expect(screen.queryByText("2 of 3 are listed. Search to find the others.")).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox"), "hid");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Hidden" }));
  await userEvent.click(screen.getByRole("tab", { name: "General" }));
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () =>
    expect((await saved()).monitors.map(({ selected }) => selected)).toEqual([true, false, true]),
  );
});

test("the arrow keys on a handle move a service, keep the focus, and say where it is", async () => {
  const { saved } = await open("?tab=layout", { monitors: [1, 2] });
  const handle = () => screen.getByRole("button", { name: "Move Bank" });
  handle().focus();
  await userEvent.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(handle());
  expect(screen.getByText("Bank: 1 of 3 in “In no group”")).toBeDefined();
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () => expect((await saved()).monitor_ids).toEqual([2, 1]));
});

test("groups are added, named, filled and removed", async () => {
  const { saved } = await open("?tab=layout", { monitors: [1, 2] });
  await userEvent.click(screen.getByRole("button", { name: "Add group" }));
  await waitFor(() =>
    expect(document.activeElement === screen.getByRole("textbox", { name: "Group name" })).toBe(true),
  );
  await userEvent.keyboard("Sales");
  for (const item of ["Shop", "Web"]) {
    screen.getByRole("button", { name: `Move ${item}` }).focus();
    await userEvent.keyboard("{ArrowUp}");
  }
  await save();
  await screen.findByText("The status page is saved");
  const groups = [{ name: "Sales", monitors: [1], agents: [1] }];
  await waitFor(async () => expect((await saved()).groups).toEqual(groups));
  await userEvent.click(screen.getByRole("button", { name: "Remove the group Sales" }));
  await save();
  await waitFor(async () => expect((await saved()).groups).toEqual([]));
});

test("a group without a name is refused at the order, which stays open", async () => {
  await open("?tab=layout", { monitors: [1, 2] });
  await userEvent.click(screen.getByRole("button", { name: "Add group" }));
  await userEvent.clear(screen.getByRole("textbox", { name: "Group name" }));
  await userEvent.click(screen.getByRole("tab", { name: "General" }));
  await save();
  await waitFor(() => expect(isChosen("Order and groups")).toBe("true"));
  const field = screen.getByRole("textbox", { name: "Group name" });
  await waitFor(() => expect(document.activeElement).toBe(field));
});

test("ticking another service keeps the order of the others", async () => {
  const { saved } = await open("?tab=services", { monitors: [2] });
  await userEvent.click(screen.getByRole("checkbox", { name: "Shop" }));
  await save();
  await screen.findByText("The status page is saved");
  await waitFor(async () => expect((await saved()).monitor_ids).toEqual([2, 1]));
});
