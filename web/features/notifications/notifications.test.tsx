import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { setUpPage } from "../../testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { notificationsAtom } from "./api";
import { telegramChannel, wire } from "./fixtures";
import type { Wire } from "./normalise";
import NotificationsPage from "./notifications-page";
import { draftsAtom } from "./rules/drafts";

let served: Wire;
let refuse: (body: Record<string, unknown>) => Response | undefined;
const monitors = [
  { id: 1, name: "Shop", url: "https://shop.example.com/" },
  { id: 2, name: "Bank", url: "https://bank.example.com/" },
];

setUpPage({ path: "/notifications" });
beforeEach(async () => {
  getDefaultStore().set(draftsAtom, {});
  served = wire();
  refuse = () => undefined;
  fakeServer.answer(async (request, path) => {
    if (path.endsWith("/notifications")) return Response.json({ success: true, data: served });
    if (path.endsWith("/monitors")) return Response.json({ success: true, total: 2, counts: {}, monitors });
    return refuse(JSON.parse((await request.text()) || "{}")) ?? Response.json({ success: true, message: "ok" });
  });
});

const open = async (tab = "global") => {
  history.replaceState(null, "", tab === "global" ? "/notifications" : `/notifications?tab=${tab}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const choose = (tab: string) => userEvent.click(screen.getByRole("tab", { name: tab }));
const card = (name: string) => within(screen.getByRole("region", { name }));
const saves = () => fakeServer.calls.filter(({ path }) => path === "/api/notifications/settings");
const bodies = () => saves().map(({ body }) => body as Record<string, unknown>);

test("without a channel the page asks to add one first", async () => {
  served = wire({ channels: [] });
  await open();
  await screen.findByRole("heading", { name: "Start with a channel" });
  await press("Add a channel");
  within(await screen.findByRole("dialog")).getByRole("heading", { name: "Add a channel" });
  expect(location.search).toStartWith("?tab=channels");
});

test("with a channel and no alerts enabled, one button enables them", async () => {
  await open();
  await screen.findByText(/nothing is turned on yet/);
  await press("Turn on alerts");
  await screen.findByText("Alerts are on");
  expect(bodies()).toMatchObject([
    { target_type: "global-monitor", enabled: true, on_down: true, on_recovery: true, channels: "[1]" },
    { target_type: "global-agent", enabled: true, on_offline: true, cpu_threshold: 90, channels: "[1]" },
  ]);
});

test("only changed settings are saved", async () => {
  served = wire({}, { monitors: { enabled: 1, channels: [1] } });
  await open();
  expect(screen.queryAllByRole("button", { name: "Save" }).length).toBe(0);
  await userEvent.click(card("API monitors").getByRole("checkbox", { name: "It recovers" }));
  await screen.findByText("1 unsaved change");
  served = wire({}, { monitors: { enabled: 1, onRecovery: 0, channels: [1] } });
  await press("Save");
  await screen.findByText("Notification settings saved");
  expect(bodies()).toEqual([
    { target_type: "global-monitor", enabled: true, on_down: true, on_recovery: false, channels: "[1]" },
  ]);
  await waitFor(() => expect(screen.queryAllByRole("button", { name: "Save" }).length).toBe(0));
});

test("unsaved settings survive a refresh and a change of tabs", async () => {
  served = wire({}, { monitors: { enabled: 1, channels: [1] } });
  await open();
  await userEvent.click(card("API monitors").getByRole("checkbox", { name: "It goes down" }));
  served = wire({}, { monitors: { enabled: 1, onRecovery: 0, channels: [1] } });
  await act(() => getDefaultStore().set(notificationsAtom));
  expect(card("API monitors").getByRole<HTMLInputElement>("checkbox", { name: "It recovers" }).checked).toBe(false);
  await choose("Templates");
  await choose("Global settings");
  expect(card("API monitors").getByRole<HTMLInputElement>("checkbox", { name: "It goes down" }).checked).toBe(false);
  await press("Discard");
  expect(card("API monitors").getByRole<HTMLInputElement>("checkbox", { name: "It goes down" }).checked).toBe(true);
});

test("a setting whose call failed is named and stays unsaved", async () => {
  refuse = ({ target_type }) =>
    target_type === "global-agent"
      ? Response.json({ success: false, code: "internal", message: "" }, { status: 500 })
      : undefined;
  await open();
  await userEvent.click(card("API monitors").getByRole("switch"));
  await userEvent.click(card("Servers").getByRole("switch"));
  await screen.findByText("2 unsaved changes");
  served = wire({}, { monitors: { enabled: 1, channels: [1] } });
  await press("Save");
  await screen.findByText(/^Some notification settings failed to save: Servers\. Something went wrong/);
  await screen.findByText("Not saved: Servers");
  expect(card("Servers").getByRole<HTMLInputElement>("switch").checked).toBe(true);
  expect(saves()).toHaveLength(2);
});

test("a threshold outside 0 to 100 cannot be saved", async () => {
  served = wire({}, { agents: { enabled: 1, channels: [1] } });
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
  await waitFor(() => expect(bodies()).toMatchObject([{ target_type: "global-agent", memory_threshold: 70 }]));
});

test("switching on a monitor's own settings enables its alerts", async () => {
  await open("monitors");
  await userEvent.type(await screen.findByRole("searchbox"), "shop");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  await userEvent.click(screen.getByRole("switch", { name: "Own settings: Shop" }));
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Send alerts" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("checkbox", { name: "On-call" }));
  await press("Save");
  await waitFor(() =>
    expect(bodies()).toEqual([
      {
        target_type: "monitor",
        target_id: 1,
        override_global: true,
        enabled: true,
        on_down: true,
        on_recovery: true,
        channels: "[1]",
      },
    ]),
  );
});

test("the link from a monitor's page shows only that monitor, and all can be shown", async () => {
  await open("monitors&id=2");
  await screen.findByRole("link", { name: "Bank" });
  expect(screen.queryAllByRole("link", { name: "Shop" }).length).toBe(0);
  await press("Show all");
  await screen.findByRole("link", { name: "Shop" });
});

test("templates can be read, and adding or editing one is announced as coming", async () => {
  const template = { id: 1, name: "down", subject: "Shop is down", content: "Reason: timeout", is_default: 1 } as const;
  served = wire({
    templates: [
      { ...template, type: "en-US" },
      { ...template, id: 2, type: "zh-CN", subject: "Shop 无法访问" },
    ],
  });
  await open("templates");
  screen.getByText("Shop is down");
  expect(screen.queryAllByText("Shop 无法访问").length).toBe(0);
  await press("Add template");
  await screen.findByText("Custom templates are coming soon");
  await press("Edit: Down");
  await waitFor(() => expect(screen.getAllByText("Custom templates are coming soon")).toHaveLength(2));
  await press("中文");
  screen.getByText("Shop 无法访问");
});

test("the built-in channel with the id 0 can be chosen and not edited", async () => {
  served = wire({ channels: [{ ...telegramChannel, id: 0, name: "Telegram", default: true }] });
  await open("channels");
  screen.getByText("Built-in");
  expect(screen.queryAllByRole("button", { name: /Edit|Delete/ }).length).toBe(0);
  await choose("Global settings");
  await press("Turn on alerts");
  await waitFor(() => expect(bodies().map(({ channels }) => channels)).toEqual(["[0]", "[0]"]));
});

test("a failed load of the notifications is shown and can be retried", async () => {
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  render(<NotificationsPage />);
  await screen.findByText("Failed to load notification settings");
  fakeServer.answer(() => Response.json({ success: true, data: served }));
  await press("Try again");
  await screen.findByRole("tablist");
});
