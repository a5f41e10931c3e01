import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { createDelivery } from "../../../../src/modules/alerting/delivery/deliver";
import { addChannel, runDeliveries, saveRule } from "../../../../src/testing/fixtures/alerts";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { changes, startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, within } from "../../../testing/test-page";
import { DrillDialog } from "./drill-dialog";

setUpPage({ path: "/monitors/1" });

/** A hub with bob's monitor, and the button of its drill. */
const start = async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  return { ...hub, id };
};

test.each([
  ["en-US", "Drill: Shop", "Send the drill", ["Immediately chat", "When it recovers chat"], "Alert"],
  ["zh-CN", "演练：Shop", "发送演练", ["立即 chat", "恢复时 chat"], "发送告警"],
] as const)("a drill says what it sends to whom, and then how each message ended, in %s", async (...row) => {
  const [language, title, send, plan, alert] = row;
  await i18next.changeLanguage(language);
  const hub = await start();
  await saveRule(hub, hub.bob, { target_type: "global-monitor", channels: [await addChannel(hub, hub.bob)] });
  render(<DrillDialog target={{ type: "monitor", id: hub.id, name: "Shop" }} onClose={() => {}} />);
  const dialog = within(await screen.findByRole("dialog", { name: title }));
  const items = await dialog.findAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([...plan]);
  await userEvent.click(dialog.getByRole("button", { name: send }));
  await dialog.findByText(i18next.t("notifications.drill.sent"));
  await runDeliveries(hub, createDelivery(hub.deps));
  await dialog.findByText(alert);
  expect(changes().at(-1)).toMatchObject({ method: "POST", path: `/api/monitors/${hub.id}/drill` });
});

test("where a drill would send nothing, the reason is shown and it can't be sent", async () => {
  const hub = await start();
  render(<DrillDialog target={{ type: "monitor", id: hub.id, name: "Shop" }} onClose={() => {}} />);
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("The drill would send nothing: no channel has been added yet.");
  expect(dialog.getByRole("button", { name: "Send the drill" }).hasAttribute("disabled")).toBe(true);
});
