import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { addChannel, telegramChannel } from "../../../src/testing/fixtures/alerts";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import NotificationsPage from "./notifications-page";

setUpPage({ path: "/notifications?tab=templates" });

const open = async (started?: Awaited<ReturnType<typeof startHubAs>>) => {
  const hub = started ?? (await startHubAs("bob"));
  await addChannel(hub, hub.bob, telegramChannel("On-call"));
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("heading", { name: "Built-in messages" });
  return { ...hub, stored: async () => (await hub.client.get("/api/notifications")).body.data.own_templates };
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = async (name: string, text: string) => {
  await userEvent.clear(field(name));
  // Braces are special to userEvent.
  await userEvent.type(field(name), text.replaceAll("{", "{{"));
};
const preview = () => within(screen.getByRole("region", { name: "Preview" }));

test("built-in messages are shown in both languages with example events, and found by their texts", async () => {
  await open();
  const monitors = within(screen.getByRole("region", { name: "Monitors" }));
  monitors.getByText("Shop is up again");
  expect(screen.queryByText("web-1: CPU usage is high")).toBeNull();
  expect(screen.queryByText("Shop 无法访问")).toBeNull();
  await press("中文");
  monitors.getByText("Shop 无法访问");
  await userEvent.type(screen.getByRole("searchbox", { name: "Search messages" }), "cpu");
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^Customize/ })).toHaveLength(2));
  expect(screen.queryByRole("region", { name: "Monitors" })).toBeNull();
});

test("a message is customised from its built-in text, with a preview, and reset", async () => {
  const { stored } = await open();
  await press("Customize: Down");
  await screen.findByRole("dialog");
  expect(field("Title").value).toBe("🔴 {{name}} is down");
  await preview().findByText("🔴 Shop is down");
  await type("Title", "{{name | upper}} broke");
  await preview().findByText("SHOP broke");
  await userEvent.click(field("Body"));
  await userEvent.clear(field("Body"));
  await press("Reason");
  expect(field("Body").value).toBe("{{error}}");
  await preview().findByText(/503/);
  await press("Save");
  await screen.findByText("Template saved");
  expect(await stored()).toMatchObject([
    { event: "down", channel_id: null, title: "{{name | upper}} broke", body: "{{error}}" },
  ]);
  await within(screen.getByRole("region", { name: "Monitors" })).findByText("Customized");

  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
  await press("Customize: Down");
  expect(field("Title").value).toBe("{{name | upper}} broke");
  await press("Cancel");
  await press("Use the built-in message: All channels: Down");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Use the built-in message" }));
  await screen.findByText("Back to the built-in message");
  expect(await stored()).toEqual([]);
});

test("what is wrong is named with its place, which can be selected, and is not saved", async () => {
  const { stored } = await open();
  await press("Add template");
  await type("Title", "{{nmae}}");
  await screen.findByText("Line 1, column 3: there is no variable nmae");
  expect(field("Title").getAttribute("aria-invalid")).toBe("true");
  await press("Show where");
  expect([field("Title").selectionStart, field("Title").selectionEnd]).toEqual([2, 6]);
  await press("Save");
  expect(await stored()).toEqual([]);
  await type("Title", "{{name}}");
  await waitFor(() => expect(field("Title").getAttribute("aria-invalid")).toBeNull());
  await press("Save");
  await screen.findByText("Template saved");
});

test("another event begins with its own text until something was written", async () => {
  await open();
  await press("Add template");
  expect(field("Title").value).toBe("{{title}}");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Event" }), "offline");
  expect(field("Title").value).toBe("🔴 No report from server {{name}} for {{duration}}");
  await type("Title", "Mine");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Event" }), "online");
  expect(field("Title").value).toBe("Mine");
  await press("Built-in text");
  expect(field("Title").value).toBe("🟢 Server {{name}} reports again");
});

test("a second template for the same channel and event is refused by the hub, and said so", async () => {
  const { client } = await open();
  await client.post("/api/notifications/templates", { channel_id: 1, title: "x", body: "" });
  await press("Add template");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Channel" }), "On-call");
  await press("Save");
  await screen.findByText(/There is a template for this channel and event already/);
});

test("a preview that fails is said so", async () => {
  await open();
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  await press("Add template");
  await screen.findByText("The preview could not be loaded");
});

test("a channel has its own templates, apart from those of all channels", async () => {
  const { stored } = await open();
  await press("Add template: On-call");
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Channel" }).value).toBe("1");
  await type("Title", "{{name}} for you");
  await press("Save");
  await screen.findByText("Template saved");
  await screen.findByRole("heading", { name: "All events" });
  expect(await stored()).toMatchObject([{ event: null, channel_id: 1, title: "{{name}} for you" }]);
  expect(screen.queryByRole("heading", { name: "Your templates" })).toBeNull();
});

test("a template that was saved elsewhere is shown, and the own texts are offered", async () => {
  const hub = await startHubAs("bob");
  const texts = { title: "first", body: "" };
  const { id } = (await hub.client.post("/api/notifications/templates", { event: "down", ...texts })).body.data;
  const { stored } = await open(hub);
  await press("Customize: Down");
  await type("Title", "mine");
  await hub.clock.advance(1000);
  await hub.client.put(`/api/notifications/templates/${id}`, { title: "theirs", body: "" });
  await press("Save");
  await screen.findByText(/Changed elsewhere since you opened this/);
  expect(field("Title").value).toBe("theirs");
  await press("Use my changes");
  expect(field("Title").value).toBe("mine");
  await press("Save");
  await screen.findByText("Template saved");
  expect(await stored()).toMatchObject([{ title: "mine" }]);
});
