import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { addChannel } from "../../../../src/testing/fixtures/alerts";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, within } from "../../../testing/test-page";
import ReportsPage from "../report-page";

setUpPage({ path: "/reports?target=99.9" });

const start = async ({ hasChannel = true } = {}) => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  if (hasChannel) await addChannel(hub, hub.bob);
  render(<ReportsPage />);
  const section = await screen.findByRole("region", { name: i18next.t("reports.schedules.title") });
  const read = async () => (await hub.as(hub.bob).get("/api/reports/schedules")).body.schedules;
  return { hub, section: within(section), read };
};

test("a report is sent to the chosen channels each week or month, changed, tried and deleted", async () => {
  const { section, read } = await start();
  await section.findByText(/Reports can be sent each week or month/);
  await userEvent.click(section.getByRole("button", { name: "Send this report regularly" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText("Choose a channel.");
  await userEvent.selectOptions(dialog.getByRole("combobox", { name: "How often" }), "Weekly, on Monday");
  await userEvent.selectOptions(dialog.getByRole("combobox", { name: "Hour" }), "20:00");
  await userEvent.click(await dialog.findByRole("checkbox", { name: "chat" }));
  await userEvent.click(dialog.getByRole("checkbox", { name: /works without signing in/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await section.findByText("Mondays at 20:00");
  section.getByText("not sent yet");
  expect(await read()).toMatchObject([
    { every: "week", hour: 20, scope: "all", target: 99.9, share: true, details: false, channels: [{ name: "chat" }] },
  ]);

  await userEvent.click(section.getByRole("button", { name: /^Edit/ }));
  const edit = within(await screen.findByRole("dialog"));
  await userEvent.selectOptions(edit.getByRole("combobox", { name: "How often" }), "Monthly, on the 1st");
  await userEvent.click(edit.getByRole("button", { name: "Save" }));
  await section.findByText("Monthly on the 1st at 20:00");

  await userEvent.click(section.getByRole("button", { name: "Send now" }));
  await section.findByText(/being sent to chat/);

  await userEvent.click(section.getByRole("button", { name: /^Delete/ }));
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await section.findByText(/Reports can be sent each week or month/);
  expect(await read()).toEqual([]);
});

test("without a channel there is a link to add one, and nothing to send without usable ones", async () => {
  await i18next.changeLanguage("zh-CN");
  const { section } = await start({ hasChannel: false });
  await userEvent.click(section.getByRole("button", { name: "定期发送这份报告" }));
  const dialog = within(await screen.findByRole("dialog"));
  const link = await dialog.findByRole("link", { name: "添加渠道" });
  expect(link.getAttribute("href")).toContain("/notifications?tab=channels&add");
});

test("a schedule whose channels are gone says that nothing is sent", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const chat = await addChannel(hub, hub.bob);
  const client = hub.as(hub.bob);
  await client.post("/api/reports/schedules", { every: "month", hour: 8, channels: [chat] });
  await client.delete(`/api/notifications/channels/${chat}`);
  render(<ReportsPage />);
  await screen.findByText(/Its channels were deleted or are off/);
  expect((screen.getByRole("button", { name: "Send now" }) as HTMLButtonElement).disabled).toBe(true);
});
