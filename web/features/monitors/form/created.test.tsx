import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addChannel, saveRule, telegramChannel } from "../../../../src/testing/fixtures/alerts";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import CreatePage from "./create-page";

setUpPage({ path: "/monitors/create" });

const create = async () => {
  render(
    <>
      <CreatePage />
      <Toasts />
    </>,
  );
  await userEvent.type(screen.getByLabelText("URL *"), "https://shop.example/");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await screen.findByText("Monitor added");
};

test("a new monitor ends with who is notified when it fails", async () => {
  const hub = await startHubAs("bob");
  const ops = await addChannel(hub, hub.bob, telegramChannel("Ops"));
  await saveRule(hub, hub.bob, { target_type: "global-monitor", channels: [ops] });
  await create();
  await screen.findByText("Ops immediately.");
  expect(location.pathname).toBe("/monitors");
});

test("a new monitor of which no one is notified ends with the reason and the way to mend it", async () => {
  await startHubAs("bob");
  await create();
  await screen.findByText(/^No one is notified: no channel has been added yet/);
  expect(screen.getByRole("link", { name: "Add a channel" }).getAttribute("href")).toBe(
    "/notifications?tab=channels&add",
  );
});
