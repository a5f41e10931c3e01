import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { addChannel, saveRule, telegramChannel } from "../../../src/testing/fixtures/alerts";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { BOT_TOKEN } from "../../../src/testing/servers/providers";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor, waitUntilGone, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { notificationsAtom } from "./api";
import NotificationsPage from "./notifications-page";

setUpPage({ path: "/notifications" });

/** Starts a hub where bob has two monitors and the channel "On-call" with the id 1, and these rules. */
const start = async (...rules: object[]) => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Bank"])
    await addMonitor(hub, hub.bob, { url: `https://${name.toLowerCase()}.example/`, name });
  await addChannel(hub, hub.bob, telegramChannel("On-call"));
  for (const rule of rules) await saveRule(hub, hub.bob, rule);
  return { ...hub, settings: async () => (await hub.client.get("/api/notifications")).body.data.settings };
};
const MONITORS = { target_type: "global-monitor", channels: [1] };

const open = async (tab = "global") => {
  history.replaceState(null, "", tab === "global" ? "/notifications" : `/notifications?tab=${tab}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
  await waitUntilGone(() => document.querySelector(".skeleton"));
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const choose = (tab: string) => userEvent.click(screen.getByRole("tab", { name: tab }));
const card = (name: string) => within(screen.getByRole("region", { name }));
const checkbox = (name: string) => card("API monitors").getByRole<HTMLInputElement>("checkbox", { name });
/** The settings that the page has sent. */
const sent = () =>
  fakeServer.calls
    .filter(({ path }) => path === "/api/notifications/settings")
    .map(({ body }) => body as Record<string, unknown>);

test("without a channel the page asks to add one first", async () => {
  await startHubAs("bob");
  await open();
  await screen.findByRole("heading", { name: "Start with a channel" });
  expect(screen.getAllByText(/no one is notified/i)).toHaveLength(1);
  await press("Add channel");
  within(await screen.findByRole("dialog")).getByRole("heading", { name: "Add channel" });
  expect(location.search).toStartWith("?tab=channels");
});

test.each(["global", "channels"])(
  "with a channel and no alerts enabled, one button enables them: tab %s",
  async (tab) => {
    const { settings } = await start();
    await open(tab);
    await screen.findByText(/nothing is turned on yet/);
    await press("Turn on alerts");
    await screen.findByText("Alerts are on");
    const { monitors, agents } = await settings();
    expect(monitors).toMatchObject({ enabled: true, onDown: true, onRecovery: true, channels: [1] });
    expect(agents).toMatchObject({ enabled: true, onOffline: true, cpuThreshold: 90, channels: [1] });
  },
);

test("only changed settings are saved", async () => {
  const { settings } = await start(MONITORS);
  await open();
  expect(screen.queryAllByRole("button", { name: "Save" }).length).toBe(0);
  await userEvent.click(checkbox("It recovers"));
  await screen.findByText("1 unsaved change");
  await press("Save");
  await screen.findByText("Notification settings saved");
  expect(sent().map(({ target_type }) => target_type)).toEqual(["global-monitor"]);
  expect((await settings()).monitors).toMatchObject({ enabled: true, onDown: true, onRecovery: false, channels: [1] });
  await waitFor(() => expect(screen.queryAllByRole("button", { name: "Save" }).length).toBe(0));
});

test("unsaved settings survive a refresh and a change of tabs", async () => {
  const hub = await start(MONITORS);
  await open();
  await userEvent.click(checkbox("It goes down"));
  await saveRule(hub, hub.bob, { target_type: "global-monitor", on_recovery: false });
  await act(() => getDefaultStore().set(notificationsAtom));
  expect(checkbox("It recovers").checked).toBe(false);
  await choose("Channels");
  await choose("Rules");
  expect(checkbox("It goes down").checked).toBe(false);
  await press("Discard");
  expect(checkbox("It goes down").checked).toBe(true);
});

test("a setting whose call failed is named and stays unsaved", async () => {
  const { send } = await start();
  fakeServer.answer(async (request) =>
    (await request.clone().text()).includes("global-agent")
      ? Response.json({ success: false, code: "internal", message: "" }, { status: 500 })
      : send(request),
  );
  await open();
  await userEvent.click(card("API monitors").getByRole("switch"));
  await userEvent.click(card("Servers").getByRole("switch"));
  await screen.findByText("2 unsaved changes");
  await press("Save");
  await screen.findByText(/^Some notification settings failed to save: Servers\. Something went wrong/);
  await screen.findByText("Not saved: Servers");
  expect(card("Servers").getByRole<HTMLInputElement>("switch").checked).toBe(true);
  expect(sent()).toHaveLength(2);
});

test("a threshold outside 0 to 100 cannot be saved", async () => {
  const { settings } = await start({ target_type: "global-agent", channels: [1] });
  await open();
  const threshold = card("Servers").getByRole<HTMLInputElement>("spinbutton", { name: "Memory threshold (%)" });
  expect(threshold.value).toBe("85");
  await userEvent.clear(threshold);
  await userEvent.type(threshold, "101");
  await card("Servers").findByText("Enter a number from 0 to 100");
  await screen.findByText("Check the thresholds of: Servers");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  await userEvent.clear(threshold);
  await userEvent.type(threshold, "70");
  await press("Save");
  await waitFor(() => expect(screen.queryAllByRole("region", { name: "Save" }).length).toBe(0));
  await waitFor(async () => expect((await settings()).agents).toMatchObject({ memoryThreshold: 70 }));
});

test("an exception is added by searching its monitor, changed, and given up", async () => {
  const { settings } = await start({ ...MONITORS, enabled: false });
  await open();
  const exceptions = within(await screen.findByRole("region", { name: "Exceptions 0" }));
  exceptions.getByText("Every monitor and server follows the default.");
  await userEvent.click(exceptions.getByRole("button", { name: "Add exception" }));
  await userEvent.type(exceptions.getByRole("combobox", { name: "Search a monitor or server" }), "sho");
  await userEvent.click(await screen.findByRole("option", { name: /Shop/ }));
  const dialog = () => within(screen.getByRole("dialog", { name: "Alerts of Shop" }));
  expect((await dialog().findByRole<HTMLInputElement>("switch", { name: "Send alerts" })).checked).toBe(true);
  expect(dialog().getByRole<HTMLInputElement>("checkbox", { name: "On-call" }).checked).toBe(true);
  await userEvent.click(dialog().getByRole("button", { name: "Save" }));
  await exceptions.findByText("On-call immediately.");
  expect((await settings()).specificMonitors[1]).toMatchObject({
    ...{ overrideGlobal: true, enabled: true, onDown: true, onRecovery: true, channels: [1] },
  });
  expect(exceptions.getByRole("link", { name: "Shop" }).getAttribute("href")).toBe("/monitors/1?tab=alerts");
  await press("Edit: Shop");
  await userEvent.click(await dialog().findByRole("switch", { name: "Send alerts" }));
  await userEvent.click(dialog().getByRole("button", { name: "Save" }));
  await exceptions.findByText("No one is notified: alerts are off in its own rule.");
  await press("Follow the default: Shop");
  await exceptions.findByText("Every monitor and server follows the default.");
  expect((await settings()).specificMonitors[1]).toMatchObject({ overrideGlobal: false });
});

test("many exceptions are listed in pages and found by name and kind", async () => {
  const hub = await start();
  for (let index = 0; index < 60; index++) {
    const name = `Service ${String(index).padStart(2, "0")}`;
    const id = await addMonitor(hub, hub.bob, { url: `https://s${index}.example/`, name });
    await saveRule(hub, hub.bob, { target_type: "monitor", target_id: id, critical: true });
  }
  await open();
  const exceptions = within(await screen.findByRole("region", { name: "Exceptions 60" }));
  await exceptions.findByRole("link", { name: "Service 49" });
  expect(exceptions.queryByRole("link", { name: "Service 50" })).toBeNull();
  await userEvent.click(exceptions.getByRole("button", { name: "Load 10 more" }));
  await exceptions.findByRole("link", { name: "Service 59" });
  await userEvent.type(exceptions.getByRole("searchbox"), "vice 59");
  await waitFor(() => expect(screen.getAllByRole("link", { name: /^Service/ })).toHaveLength(1));
  await userEvent.click(exceptions.getByRole("button", { name: "Servers" }));
  await screen.findByText("Nothing matches");
  expect(location.search).toBe("?tab=agents");
});

test.each([
  ["global", "Rules"],
  ["policies", "Rules"],
  ["monitors", "Rules"],
  ["agents", "Rules"],
  ["thresholds", "Rules"],
  ["channels", "Channels"],
  ["templates", "Channels"],
  ["history", "History"],
])("the address of the earlier tab %s opens the tab %s", async (tab, name) => {
  await start();
  await open(tab);
  screen.getByRole("tab", { name, selected: true });
});

test.each([
  ["monitors&id=2", "/monitors/2"],
  ["agents&id=5", "/agents/5"],
])("the earlier address of the settings of one target, %s, leads to its alerts", async (tab, path) => {
  await start();
  await open(tab).catch(() => {});
  await waitFor(() => expect(location.pathname + location.search).toBe(`${path}?tab=alerts`));
});

test("a rule for all that was changed elsewhere is not overwritten: its values are shown, and the own edits can be used", async () => {
  const hub = await start(MONITORS);
  await open();
  await userEvent.click(checkbox("It goes down"));
  await saveRule(hub, hub.bob, { target_type: "global-monitor", on_recovery: false });
  await press("Save");
  await screen.findByText(/^Changed elsewhere/);
  expect([checkbox("It goes down").checked, checkbox("It recovers").checked]).toEqual([true, false]);
  await press("Use my changes");
  expect([checkbox("It goes down").checked, checkbox("It recovers").checked]).toEqual([false, false]);
  await press("Save");
  await screen.findByText("Notification settings saved");
  expect((await hub.settings()).monitors).toMatchObject({ onDown: false, onRecovery: false });
});

test("the built-in channel with the id 0 can be chosen and not edited", async () => {
  const hub = await startHubAs("alice", { env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "9" } });
  await open("channels");
  screen.getByText("Built-in");
  expect(screen.queryAllByRole("button", { name: /Edit|Delete/ }).length).toBe(0);
  await choose("Rules");
  await press("Turn on alerts");
  await screen.findByText("Alerts are on");
  const { monitors, agents } = (await hub.client.get("/api/notifications")).body.data.settings;
  expect([monitors, agents]).toMatchObject([{ channels: [0] }, { channels: [0] }]);
});

test("a failed load of the notifications is shown and can be retried", async () => {
  const { send } = await start();
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  render(<NotificationsPage />);
  await screen.findByText("Failed to load notification settings");
  fakeServer.answer(send);
  await press("Try again");
  await screen.findByRole("tablist");
});
