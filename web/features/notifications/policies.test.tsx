import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { addChannel, addPolicy, saveRule, telegramChannel } from "../../../src/testing/fixtures/alerts";
import { startI18n } from "../../i18n";
import { browserTimeZone } from "../../lib/format";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen, userEvent, waitFor, waitUntilGone, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import NotificationsPage from "./notifications-page";

setUpPage();

const QUIET = { days: [1, 2, 3, 4, 5], from: "22:00", to: "07:00", time_zone: "Asia/Shanghai", mode: "hold" };

/** Starts a hub where bob has the channels "Chat" and "Phone", with the ids 1 and 2. */
const start = async () => {
  const hub = await startHubAs("bob");
  const [chat, phone] = [
    await addChannel(hub, hub.bob, telegramChannel("Chat")),
    await addChannel(hub, hub.bob, telegramChannel("Phone")),
  ];
  const read = async () => (await hub.client.get("/api/notifications")).body.data;
  /** Adds a policy with two steps, reminders and quiet hours. */
  const addNight = () =>
    addPolicy(hub, hub.bob, {
      name: "Night",
      steps: [
        { after_minutes: 0, channels: [chat] },
        { after_minutes: 10, channels: [phone, chat] },
      ],
      repeat_minutes: 30,
      repeat_max: 5,
      quiet: QUIET,
    });
  return { ...hub, chat, phone, read, addNight };
};
const open = async (tab = "policies") => {
  history.replaceState(null, "", `/notifications?tab=${tab}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
  await waitUntilGone(() => document.querySelector(".skeleton"));
};
const dialog = () => within(screen.getByRole("dialog"));
const press = (name: string) => userEvent.click(dialog().getByRole("button", { name }));
const field = (name: string, role = "spinbutton") => dialog().getByRole<HTMLInputElement>(role, { name });
const type = async (name: string, text: string, role?: string) => {
  await userEvent.clear(field(name, role));
  await userEvent.type(field(name, role), text);
};
const addToStep = async (step: number, channel: string) => {
  await press(`Add channel to step ${step}`);
  await userEvent.click(dialog().getByRole("menuitem", { name: channel }));
};
const alerts = () =>
  dialog()
    .queryAllByRole("alert")
    .map(({ textContent }) => textContent);
/** The sentences of a card. */
const sentences = (name: string) => {
  const card = screen.getByRole("heading", { name }).closest("article") as HTMLElement;
  return within(card)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
};

test("without a channel the page leads to adding one", async () => {
  await startHubAs("bob");
  await open();
  screen.getByText(/Add a channel first\.$/);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Add policy" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Add channel" }));
  await screen.findByRole("dialog", { name: "Add channel" });
});

test("a first policy starts from the present settings, and is used by them once it is saved", async () => {
  const hub = await start();
  await saveRule(hub, hub.bob, { target_type: "global-monitor", channels: [hub.phone] });
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Add policy" }));
  expect(field("Name", "textbox").value).toBe("On call");
  await press("Add step");
  await addToStep(2, "Chat");
  await type("Minutes before step 2", "15");
  await userEvent.click(field("Quiet hours", "switch"));
  await userEvent.click(field("Sun", "checkbox"));
  await userEvent.selectOptions(dialog().getByRole("combobox", { name: "Messages in quiet hours" }), "drop");
  dialog().getByText("12:15");
  await press("Save");
  await screen.findByText("Policy saved");
  const { policies, settings } = await hub.read();
  expect(policies).toMatchObject([
    {
      name: "On call",
      steps: [
        { after_minutes: 0, channels: [hub.phone] },
        { after_minutes: 15, channels: [hub.chat] },
      ],
      repeat_minutes: 30,
      repeat_max: 5,
      quiet: { days: [1, 2, 3, 4, 5, 6], from: "22:00", to: "07:00", time_zone: browserTimeZone(), mode: "drop" },
      group_seconds: 10,
      used_by: 2,
    },
  ]);
  const { id } = policies[0] as { id: number };
  expect([settings.monitors, settings.agents]).toMatchObject([
    { policyId: id, enabled: true, channels: [hub.phone] },
    { policyId: id, enabled: false },
  ]);
  await screen.findByText("Used by API monitors and Servers");
});

test("a card says in short lines what its policy does, in both languages", async () => {
  const { addNight } = await start();
  await addNight();
  await open();
  expect(sentences("Night")).toEqual([
    "nowChat",
    "+10\u00a0minPhone, Chat",
    "reminder every 30\u00a0min, at most 5 times",
    "quiet 22:00–07:00 on Mon to Fri (Asia/Shanghai): messages are held until then; critical ones still alert",
  ]);
  localStorage.setItem("i18nextLng", "zh-CN");
  await act(async () => startI18n());
  await waitFor(() =>
    expect(sentences("Night")).toEqual([
      "立即Chat",
      "10\u00a0分钟后Phone、Chat",
      "每 30\u00a0分钟提醒一次，最多 5 次",
      "周一至周五 22:00–07:00（Asia/Shanghai）免打扰：消息留到时段结束后发送，标为“关键”的照常通知",
    ]),
  );
});

test("wrong fields show the reason, and no call is made", async () => {
  const { addNight } = await start();
  await addNight();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Edit: Night" }));
  const before = changes().length;
  await userEvent.clear(field("Name", "textbox"));
  await press("Remove from step 1: Chat");
  await type("Minutes before step 2", "0");
  await type("Minutes between reminders", "4");
  await userEvent.clear(field("Reminders at most"));
  for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri"]) await userEvent.click(field(day, "checkbox"));
  await type("Time zone", "Mars/Olympus", "combobox");
  await type("Seconds in which messages are combined", "301");
  await press("Save");
  expect(alerts()).toEqual([
    "Enter a name",
    "Choose at least one channel",
    "Each step has to be later than the one before it",
    "Enter a whole number from 5 to 1,440Enter a whole number from 1 to 50",
    "Choose at least one dayChoose a time zone from the list",
    "Enter a whole number from 0 to 300",
  ]);
  await waitFor(() => expect(document.activeElement?.getAttribute("name")).toBe("name"));
  await type("Name", "Day", "textbox");
  await type("Minutes before step 2", "5");
  expect(alerts()).toHaveLength(4);
  expect(changes()).toHaveLength(before);
});

test("a name that another policy has is refused at its field", async () => {
  const { addNight, read } = await start();
  await addNight();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Add policy" }));
  await userEvent.type(field("Name", "textbox"), "Night");
  await press("Save");
  await dialog().findByText("Another policy has this name");
  expect(field("Name", "textbox").getAttribute("aria-invalid")).toBe("true");
  expect((await read()).policies).toHaveLength(1);
});

test("a deleted channel is shown as such, and is gone once the policy is saved", async () => {
  const { addNight, client, chat, phone, read } = await start();
  await addNight();
  await client.delete(`/api/notifications/channels/${phone}`);
  await open();
  expect(sentences("Night")[1]).toBe("+10\u00a0minDeleted channel, Chat");
  screen.getByText(/A channel was deleted and is skipped/);
  await userEvent.click(screen.getByRole("button", { name: "Edit: Night" }));
  dialog().getByRole("button", { name: "Remove from step 2: Deleted channel" });
  await press("Save");
  await screen.findByText("Policy saved");
  expect((await read()).policies).toMatchObject([{ steps: [{}, { channels: [chat] }], deleted_channels: [] }]);
});

test("deleting a policy says how many settings use it, and which of them send nothing then", async () => {
  const hub = await start();
  const policy = await hub.addNight();
  await saveRule(hub, hub.bob, { target_type: "global-monitor", policy_id: policy, channels: [hub.chat] });
  await saveRule(hub, hub.bob, { target_type: "global-agent", policy_id: policy });
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Delete: Night" }));
  dialog().getByText(/^2 notification settings use it/);
  dialog().getByText("1 of them has no channel, and sends no alerts any more.");
  await press("Delete");
  await screen.findByText("Policy “Night” was deleted");
  await screen.findByRole("heading", { name: "Policies 0" });
  expect((await hub.read()).settings.monitors).toMatchObject({ policyId: null, channels: [hub.chat] });
});

test("a rule names a policy in place of channels, and shows what it does", async () => {
  const hub = await start();
  const policy = await hub.addNight();
  await saveRule(hub, hub.bob, { target_type: "global-monitor", channels: [hub.chat] });
  await open("global");
  const monitors = within(screen.getByRole("region", { name: "API monitors" }));
  await userEvent.selectOptions(monitors.getByRole("combobox", { name: "Notify" }), "Policy: Night");
  await waitUntilGone(() => monitors.queryByRole("checkbox", { name: "Chat" }));
  await monitors.findByText(/^\+10 min/);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Notification settings saved");
  expect((await hub.read()).settings.monitors).toMatchObject({ policyId: policy, channels: [hub.chat] });
  await userEvent.selectOptions(monitors.getByRole("combobox", { name: "Notify" }), "Channels, immediately");
  expect(monitors.getByRole<HTMLInputElement>("checkbox", { name: "Chat" }).checked).toBe(true);
});

test("a policy that was saved elsewhere is shown, and the own changes are offered", async () => {
  const { addNight, client, clock, read } = await start();
  const id = await addNight();
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Night" }));
  await screen.findByRole("dialog");
  await type("Name", "Mine", "textbox");
  const [stored] = (await read()).policies;
  await clock.advance(1000);
  await client.put(`/api/notifications/policies/${id}`, { ...stored, name: "Theirs" } as never);
  await press("Save");
  await dialog().findByText(/Changed elsewhere since you opened this/);
  expect(field("Name", "textbox").value).toBe("Theirs");
  await press("Use my changes");
  expect(field("Name", "textbox").value).toBe("Mine");
  await press("Save");
  await screen.findByText("Policy saved");
  expect((await read()).policies).toMatchObject([{ name: "Mine" }]);
});
