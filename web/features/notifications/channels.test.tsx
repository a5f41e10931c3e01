import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { channels, deliveries, events } from "../../../src/db/schema";
import { SECOND } from "../../../src/shared/limits";
import { deliveryError } from "../../../src/shared/notifications";
import { addChannel, telegramChannel } from "../../../src/testing/fixtures/alerts";
import { dingtalk } from "../../../src/testing/servers/channel-providers";
import { BOT_TOKEN, serveTelegram, telegramError } from "../../../src/testing/servers/providers";
import { startI18n } from "../../i18n";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, fakeServer, render, screen, userEvent, waitFor, waitUntilGone, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import NotificationsPage from "./notifications-page";

type Options = Partial<{
  user: "alice" | "bob";
  reply: Parameters<typeof serveTelegram>[0];
  env: Record<string, string>;
}>;

/** Starts a hub with a Telegram server, where bob has the channel "On-call". */
const start = async ({ user = "bob", reply, env = {} }: Options = {}) => {
  const telegram = serveTelegram(reply);
  const hub = await startHubAs(user, { env: { TELEGRAM_API_URL: telegram.origin, ...env } });
  const id = await addChannel(hub, hub.bob, telegramChannel("On-call"));
  const list = async () => (await hub.client.get("/api/notifications")).body.data.channels;
  return { ...hub, telegram, id, list };
};

setUpPage();

const open = async (query = "") => {
  history.replaceState(null, "", `/notifications?tab=channels${query}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole(query ? "dialog" : "tablist");
  await waitUntilGone(() => document.querySelector(".skeleton"));
};
const dialog = () => within(screen.getByRole("dialog"));
const press = async (name: string) => {
  const button = dialog().getByRole<HTMLButtonElement>("button", { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await userEvent.click(button);
};
const field = (name: string) => dialog().getByRole<HTMLInputElement>("textbox", { name });
const fill = async (values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) await userEvent.type(field(name), value);
};
const alerts = () =>
  dialog()
    .getAllByRole("alert")
    .map(({ textContent }) => textContent);
test("a missing or malformed field shows the reason, and no call is made", async () => {
  await start();
  await open("&add");
  await press("Save");
  expect(alerts()).toEqual(["Enter a name", "Enter the bot token", "Enter the chat ID"]);
  await waitFor(() => expect(document.activeElement?.getAttribute("name")).toBe("name"));
  await fill({ Name: "On-call", "Bot token": "123:short", "Chat ID": "7" });
  await press("Save");
  expect(alerts()).toEqual(["Invalid bot token format"]);
  await userEvent.click(dialog().getByRole("radio", { name: "Resend email" }));
  await press("Send test");
  expect(alerts()).toEqual(["Enter the API key", "Enter the sender", "Enter a recipient"]);
  await fill({ "API key": "re_1", Sender: "not an address", Recipients: "alice@example.com, bob" });
  await press("Send test");
  expect(alerts()).toEqual([
    "Invalid sender format: use an address, or Name <address>",
    "A recipient is not a valid email address",
  ]);
  expect(changes()).toEqual([]);
});

test("a channel of any kind is created by the form that its fields describe", async () => {
  const robot = dingtalk();
  const { list } = await start({ env: { PRIVATE_TARGETS: "all" } });
  await open("&add");
  await userEvent.click(dialog().getByRole("radio", { name: "DingTalk" }));
  await fill({ Name: "Ops group", "Webhook URL": robot.config.url ?? "", "Signing secret optional": "SECwrong" });
  await press("Save");
  await screen.findByText("Notification channel saved");
  expect(await list()).toContainEqual(
    expect.objectContaining({ type: "dingtalk", config: { url: "••••cret", secret: "••••" } }),
  );
  await userEvent.click(await screen.findByRole("button", { name: "Send test: Ops group" }));
  await screen.findByText(/^The test message was not delivered: The provider said: 200: 310000 sign not match/);
});

test("a channel can be tested before it is saved", async () => {
  const { telegram, list } = await start();
  await open("&add");
  await fill({ Name: "Night shift", "Bot token": BOT_TOKEN, "Chat ID": "7" });
  await press("Send test");
  await dialog().findByText("Test message sent. Check that it arrived.");
  expect(telegram.messages).toMatchObject([{ token: BOT_TOKEN, chat: "7" }]);
  await press("Save");
  await screen.findByText("Notification channel saved");
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
  expect((await list()).map(({ name, enabled }) => [name, enabled])).toContainEqual(["Night shift", true]);
});

test("a refused test message shows the provider's answer", async () => {
  await start({ reply: () => telegramError(401, "Unauthorized") });
  await open("&add");
  await fill({ "Bot token": BOT_TOKEN, "Chat ID": "7" });
  await press("Send test");
  await dialog().findByText("The test message was not delivered: The provider said: 401: Unauthorized");
});

test("a stored channel keeps its masked token", async () => {
  const { clock, telegram, id, list } = await start();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Edit: On-call" }));
  expect(field("Bot token").value).toBe(`••••${BOT_TOKEN.slice(-4)}`);
  await userEvent.clear(field("Name"));
  await fill({ Name: "Night shift" });
  await press("Send test");
  await dialog().findByText("Test message sent. Check that it arrived.");
  await press("Save");
  await screen.findByText("Notification channel saved");
  expect(await list()).toMatchObject([{ id, name: "Night shift" }]);
  // A user may send one test a second to a host.
  await clock.advance(SECOND);
  await userEvent.click(await screen.findByRole("button", { name: "Send test: Night shift" }));
  await waitFor(() => expect(telegram.messages).toHaveLength(2));
  expect(telegram.messages).toMatchObject([{ token: BOT_TOKEN }, { token: BOT_TOKEN }]);
});

test("a refused field shows the reason in the viewer's language", async () => {
  localStorage.setItem("i18nextLng", "zh-CN");
  await startI18n();
  const { send } = await start();
  await open("&add");
  await userEvent.click(dialog().getByRole("radio", { name: "Telegram" }));
  await fill({ 名称: "值班", "Bot Token": BOT_TOKEN, "Chat ID": "7" });
  // The page itself refuses what the hub refuses, so the hub gets another token than the page has checked.
  fakeServer.answer(async (request) =>
    request.method === "POST"
      ? send(new Request(request, { body: (await request.text()).replace(BOT_TOKEN, "123:short") }))
      : send(request),
  );
  await press("保存");
  await dialog().findByText("Bot Token 格式不正确");
  expect(field("Bot Token").getAttribute("aria-invalid")).toBe("true");
  dialog().getByText("有内容填写不正确，请检查");
});

test("a stored channel can be tested from the list and shows its last problem", async () => {
  const { db, id } = await start({ reply: () => telegramError(403, "Forbidden: bot was blocked by the user") });
  const { code, detail } = deliveryError("rejected", { status: 403, reply: "bot was blocked by the user" });
  await db.update(channels).set({ problemCode: code, problemDetail: detail }).where(eq(channels.id, id));
  await open();
  screen.getByText("The channel refused the last message: 403: bot was blocked by the user");
  await userEvent.click(screen.getByRole("button", { name: "Send test: On-call" }));
  await screen.findByText(/^The test message was not delivered: The provider said: 403: /);
});

test("a card says how the last message of its channel ended, with a link to all of them", async () => {
  const { db, id } = await start();
  const [owner] = await db.select().from(channels);
  const message = { channelId: id, channelName: "On-call", channelType: "telegram", attempts: 1 };
  const [event] = await db
    .insert(events)
    .values({
      userId: owner?.userId ?? 0,
      teamId: owner?.teamId ?? 0,
      kind: "down",
      targetType: "monitor",
      targetId: 1,
      targetName: "Shop",
      at: 1,
    })
    .returning();
  const add = (at: number, change: object) =>
    db.insert(deliveries).values({
      ...{ ...message, eventId: event?.id ?? 0, createdAt: at, dueAt: at, endedAt: at, state: "sent", sequence: at },
      ...change,
    } as typeof deliveries.$inferInsert);
  await open();
  screen.getByText("No message yet");
  await add(1, {});
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  const link = await screen.findByRole("link", { name: /^Last message sent / });
  expect(link.getAttribute("href")).toBe(`/notifications?tab=history&channel=${id}`);
  await add(2, { state: "failed", errorCode: "timeout", errorDetail: { seconds: 10 } });
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByRole("link", { name: /^Last message not delivered, .*: No answer within 10 s$/ });
  await add(3, {
    state: "pending",
    nextAttemptAt: 4,
    endedAt: null,
    errorCode: "timeout",
    errorDetail: { seconds: 9 },
  });
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByRole("link", { name: /^A message was not delivered, next attempt .*: No answer within 9 s$/ });
});

test("the built-in channel can be tested, and neither edited nor deleted", async () => {
  const { telegram } = await start({ user: "alice", env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_CHAT_ID: "9" } });
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Send test: Telegram" }));
  await screen.findByText("Test message sent. Check that it arrived.");
  // A notice of an earlier test may still be on the page.
  await waitFor(() => expect(telegram.messages).toMatchObject([{ token: BOT_TOKEN, chat: "9" }]));
  for (const action of ["Edit", "Delete"])
    expect(screen.queryByRole("button", { name: `${action}: Telegram` })).toBeNull();
});

test("deleting a channel asks for confirmation and shows the outcome", async () => {
  const { failNextChange, list } = await start();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Delete: On-call" }));
  failNextChange();
  await press("Delete");
  await screen.findByText(/^Failed to delete notification channel: /);
  await userEvent.click(screen.getByRole("button", { name: "Delete: On-call" }));
  await press("Delete");
  await screen.findByText("Channel “On-call” was deleted");
  await screen.findByRole("heading", { name: "No channels yet" });
  expect(await list()).toEqual([]);
});

test("Escape asks before what was typed into the dialog is lost, and closes an unchanged one", async () => {
  await start();
  await open("&add");
  const pressEscape = () => {
    const event = new Event("cancel", { cancelable: true });
    act(() => void screen.getAllByRole("dialog")[0]?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(pressEscape()).toBe(false);
  await fill({ Name: "On-call" });
  expect(pressEscape()).toBe(true);
  await userEvent.click(screen.getAllByRole("button", { name: "Cancel" }).at(-1) as HTMLElement);
  expect(field("Name").value).toBe("On-call");
  expect(pressEscape()).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
});

test("an error disappears when its field is edited", async () => {
  await start();
  await open("&add");
  await press("Save");
  await fill({ Name: "x" });
  expect(alerts()).toEqual(["Enter the bot token", "Enter the chat ID"]);
});

test("a card shows the choices of its channel by their labels", async () => {
  const hub = await start();
  const config = {
    host: "203.0.113.9",
    security: "none",
    user: "a",
    password: "secret",
    from: "a@example.com",
    to: "b@example.com",
  };
  await addChannel(hub, hub.bob, { name: "Mail", type: "smtp", config });
  await open();
  await screen.findByText(/ · None( · |$)/);
  expect(screen.queryByText(/\bnone\b/)).toBeNull();
});

test.each([
  ["en-US", ["Telegram", "Email (SMTP)", "Slack"]],
  ["zh-CN", ["钉钉", "企业微信", "飞书 / Lark"]],
])("the kinds that are used the most in the language come first, in %s", async (language, names) => {
  localStorage.setItem("i18nextLng", language);
  await act(async () => startI18n());
  await start();
  await open("&add");
  const radios = dialog().getAllByRole<HTMLInputElement>("radio");
  expect(radios.slice(0, 3).map((radio) => radio.closest("label")?.textContent)).toEqual(names);
  expect(radios.map(({ checked }) => checked).indexOf(true)).toBe(0);
});

test("kinds are found by a part of their name", async () => {
  await start();
  await open("&add");
  await userEvent.type(dialog().getByRole("searchbox", { name: "Search types" }), "matter");
  expect(dialog().getAllByRole("radio")).toHaveLength(1);
  await userEvent.click(dialog().getByRole("radio", { name: "Mattermost" }));
  await userEvent.clear(dialog().getByRole("searchbox", { name: "Search types" }));
  expect(dialog().getByRole<HTMLInputElement>("radio", { name: "Mattermost" }).checked).toBe(true);
});
