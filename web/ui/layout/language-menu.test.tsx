import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { signIn } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import { LanguageMenu } from "./menus";

setUpPage();
beforeEach(() => fakeServer.answer(() => Response.json({ success: true })));

const choose = async (language: string) => {
  render(<LanguageMenu />);
  await userEvent.click(screen.getByRole("button", { name: "Language" }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: language }));
  await waitFor(() => expect(document.documentElement.lang).toBe("zh-CN"));
};

test("choosing a language sets the alert language of the signed-in user", async () => {
  signIn("token", { id: 1, username: "alice", role: "user" });
  await choose("中文");
  await waitFor(() => expect(fakeServer.calls.length).toBe(1));
  expect(fakeServer.calls[0]).toMatchObject({
    method: "PUT",
    path: "/api/auth/language",
    authorization: "Bearer token",
    body: { language: "zh-CN" },
  });
});

test("the language of the interface changes even if the server refuses the alert language", async () => {
  signIn("token", { id: 1, username: "alice", role: "user" });
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  await choose("中文");
  expect(localStorage.getItem("i18nextLng")).toBe("zh-CN");
});

test("choosing a language makes no API call for a visitor who is not signed in", async () => {
  await choose("中文");
  expect(fakeServer.calls).toEqual([]);
});
