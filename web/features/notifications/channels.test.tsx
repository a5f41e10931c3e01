import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { startI18n } from "../../i18n";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { telegramChannel, wire } from "./fixtures";
import type { Wire } from "./normalise";
import NotificationsPage from "./notifications-page";

const token = `123456789:${"A".repeat(35)}`;
let served: Wire;
let answer: () => Response;
const refusal = (status: number, body: object) => Response.json({ success: false, ...body }, { status });

setUpPage();
beforeEach(() => {
  served = wire();
  answer = () => Response.json({ success: true, message: "ok" });
  fakeServer.answer((_request, path) =>
    path.endsWith("/notifications") ? Response.json({ success: true, data: served }) : answer(),
  );
});

const open = async (query = "") => {
  history.replaceState(null, "", `/notifications?tab=channels${query}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole(query ? "dialog" : "tablist");
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
const sent = (path: string) => fakeServer.calls.filter((call) => call.path === `/api/notifications/channels${path}`);

test("a missing or malformed field shows the reason, and no call is made", async () => {
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
  await fill({ "API key": "re_1", Sender: "nobody", Recipients: "alice@example.com, bob" });
  await press("Send test");
  expect(alerts()).toEqual([
    "Invalid sender format: use an address, or Name <address>",
    "A recipient is not a valid email address",
  ]);
  expect(fakeServer.calls.every(({ path }) => ["/api/notifications", "/api/quotas"].includes(path))).toBe(true);
});

test("planned channel kinds are shown and cannot be chosen", async () => {
  await open("&add");
  for (const name of ["Slack", "DingTalk", "WeCom", "Feishu"])
    expect(dialog().getByRole<HTMLInputElement>("radio", { name: `${name} Coming soon` }).disabled).toBe(true);
});

test("a channel can be tested before it is saved", async () => {
  await open("&add");
  await fill({ Name: "On-call", "Bot token": token, "Chat ID": "7" });
  await press("Send test");
  await dialog().findByText("Test message sent. Have a look.");
  const config = JSON.stringify({ botToken: token, chatId: "7" });
  expect(sent("/test").map(({ body }) => body)).toEqual([{ type: "telegram", config }]);
  await press("Save");
  await screen.findByText("Notification channel saved");
  expect(sent("").map(({ body }) => body)).toEqual([{ name: "On-call", type: "telegram", enabled: true, config }]);
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
});

test("a refused test message shows the provider's answer", async () => {
  await open("&add");
  await fill({ "Bot token": token, "Chat ID": "7" });
  answer = () =>
    refusal(502, {
      code: "provider_refused",
      message: "",
      error_code: "rejected",
      error_detail: { status: 401, reply: "Unauthorized" },
    });
  await press("Send test");
  await dialog().findByText("The test message was not delivered: The provider said: 401: Unauthorized");
});

test("a stored channel keeps its masked token", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Edit: On-call" }));
  expect(field("Bot token").value).toBe("••••wxyz");
  await userEvent.clear(field("Name"));
  await fill({ Name: "Night shift" });
  await press("Send test");
  await dialog().findByText("Test message sent. Have a look.");
  const config = JSON.stringify({ botToken: "••••wxyz", chatId: "-100123" });
  expect(sent("/test")[0]?.body).toEqual({ id: 1, type: "telegram", config });
  await press("Save");
  await waitFor(() => expect(sent("/1").length).toBe(1));
  expect(sent("/1")[0]).toMatchObject({ method: "PUT", body: { name: "Night shift", config } });
});

test("a refused field shows the reason in the viewer's language", async () => {
  localStorage.setItem("i18nextLng", "zh-CN");
  await startI18n();
  await open("&add");
  await fill({ 名称: "值班", "Bot Token": token, "Chat ID": "7" });
  const errors = [{ path: "botToken", code: "bot_token_invalid", message: "The bot token's format is invalid" }];
  answer = () => refusal(422, { code: "validation", message: "", errors });
  await press("保存");
  await dialog().findByText("Bot Token 格式不正确");
  expect(field("Bot Token").getAttribute("aria-invalid")).toBe("true");
  dialog().getByText(/^保存通知渠道失败/);
});

test("a stored channel can be tested from the list and shows its last problem", async () => {
  served = wire({
    channels: [
      {
        ...telegramChannel,
        problem_code: "rejected",
        problem_detail: { status: 403, reply: "bot was blocked by the user" },
      },
    ],
  });
  await open();
  screen.getByText("The channel refused the last message: 403: bot was blocked by the user");
  answer = () =>
    refusal(502, { code: "provider_refused", message: "", error_code: "timeout", error_detail: { seconds: 10 } });
  await userEvent.click(screen.getByRole("button", { name: "Send test: On-call" }));
  await screen.findByText("The test message was not delivered: No answer within 10 s");
  expect(sent("/1/test")).toHaveLength(1);
});

test("the built-in channel can be tested, and neither edited nor deleted", async () => {
  served = wire({ channels: [{ ...telegramChannel, id: 0, name: "Telegram", default: true }] });
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Send test: Telegram" }));
  await screen.findByText("Test message sent. Have a look.");
  expect(sent("/0/test")).toHaveLength(1);
  for (const action of ["Edit", "Delete"])
    expect(screen.queryByRole("button", { name: `${action}: Telegram` })).toBeNull();
});

test("deleting a channel asks for confirmation and shows the outcome", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Delete: On-call" }));
  answer = () => refusal(500, { code: "internal", message: "" });
  await press("Delete");
  await screen.findByText(/^Failed to delete notification channel: /);
  await userEvent.click(screen.getByRole("button", { name: "Delete: On-call" }));
  answer = () => Response.json({ success: true });
  served = wire({ channels: [] });
  await press("Delete");
  await screen.findByText("Channel “On-call” was deleted");
  await screen.findByRole("heading", { name: "No channels yet" });
});
