import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { CallError } from "../../api";
import { startI18n } from "../../i18n";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, waitFor } from "../../testing/test-page";
import { useErrorText } from "../hooks/use-error-text";
import { QuotaCount, QuotaReached } from "./quota";

const answer = (quotas: object | null) => fakeServer.answer(() => Response.json({ success: true, quotas }));

setUpPage();

const open = async (language: string) => {
  localStorage.setItem("i18nextLng", language);
  await startI18n();
  render(
    <>
      <QuotaCount name="monitors" />
      <QuotaReached name="monitors" />
      <QuotaReached name="keys" />
    </>,
  );
};

test("a quota shows its usage, and a warning once it is reached", async () => {
  answer({ monitors: { limit: 200, used: 200 }, keys: { limit: 20, used: 19 } });
  await open("en-US");
  expect(await screen.findByText("200 of 200")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe(
    "You have reached the limit of 200 monitors. Delete some, or ask an administrator.",
  );
});

test("the warning about a reached quota is translated to Chinese", async () => {
  answer({ monitors: { limit: 200, used: 201 }, keys: { limit: 20, used: 19 } });
  await open("zh-CN");
  expect((await screen.findByRole("status")).textContent).toBe(
    "API 监控数量已达上限（200 个），请先删除不用的，或联系管理员",
  );
});

test("administrators see no quotas", async () => {
  answer(null);
  await open("en-US");
  await waitFor(() => expect(fakeServer.calls).not.toEqual([]));
  expect([screen.queryByText(/ of /), screen.queryByRole("status")]).toEqual([null, null]);
});

const error = new CallError("quota_reached", "", 409, { quota: { name: "channels", limit: 7 } });
const Words = () => <p>{useErrorText()(error)}</p>;

test("the error of a reached quota names its limit and what it counts", async () => {
  answer(null);
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n();
  render(<Words />);
  expect(
    screen.getByText("You have reached the limit of 7 channels. Delete some, or ask an administrator."),
  ).toBeTruthy();
});
