import "../../testing/test-dom";
import "../../../src/testing/fixtures/new-kinds/pager";

import { beforeEach, expect, test } from "bun:test";
import i18next from "i18next";
import { channelForms } from "../../../src/modules/alerting/channels/registry";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { wireSettings } from "./fixtures";
import NotificationsPage from "./notifications-page";

const texts = {
  name: "Pager",
  fields: {
    server: { label: "Server", hint: "Where pages go" },
    accessKey: { label: "Access key", invalid: "Bad key" },
  },
};

setUpPage({ path: "/notifications?tab=channels&add" });
beforeEach(async () => {
  const served = {
    kinds: channelForms("admin"),
    ...{ channels: [], templates: [], own_templates: [], policies: [] },
    settings: wireSettings(),
  };
  fakeServer.answer((_request, path) =>
    Response.json(path.endsWith("/notifications") ? { success: true, data: served } : { success: true, message: "ok" }),
  );
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("dialog");
});

const dialog = () => within(screen.getByRole("dialog"));
const field = (name: string | RegExp) => dialog().getByRole<HTMLInputElement>("textbox", { name });
const alerts = () =>
  dialog()
    .getAllByRole("alert")
    .map(({ textContent }) => textContent);

test("the fields of a new kind are checked before a call, and sent as its configuration", async () => {
  await userEvent.click(dialog().getByRole("radio", { name: "pager" }));
  await userEvent.click(dialog().getByRole("button", { name: "Send test" }));
  expect(alerts()).toEqual(["Enter server", "Enter access key"]);
  await userEvent.type(field("server"), "https://pager.example");
  await userEvent.type(field("access key"), "wrong");
  await userEvent.click(dialog().getByRole("button", { name: "Send test" }));
  expect(alerts()).toEqual(["access key is not valid"]);
  await userEvent.clear(field("access key"));
  await userEvent.type(field("access key"), "pk_1");
  await userEvent.click(dialog().getByRole("button", { name: "Send test" }));
  await dialog().findByText("Test message sent. Check that it arrived.");
  const config = JSON.stringify({ server: "https://pager.example", accessKey: "pk_1" });
  const sent = fakeServer.calls.filter(({ path }) => path.endsWith("/channels/test"));
  expect(sent.map(({ body }) => body)).toEqual([{ type: "pager", config }]);
});

test("the form of a new kind is built from its fields, with its translations or else its labels", async () => {
  await userEvent.click(dialog().getByRole("radio", { name: "pager" }));
  for (const label of ["server", "access key", /^list of groups/]) field(label);
  i18next.addResourceBundle("en-US", "translation", { channels: { kinds: { pager: texts } } }, true);
  await userEvent.click(dialog().getByRole("radio", { name: /Telegram/ }));
  await userEvent.click(dialog().getByRole("radio", { name: "Pager" }));
  expect(field("Server").placeholder).toBe("https://pager.example");
  expect(field("Server").required).toBe(true);
  expect(field(/^list of groups/).required).toBe(false);
  dialog().getByText("Where pages go");
});
