import "../lib/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { startI18n } from "../i18n";
import { cleanup, render, screen, userEvent, within } from "../lib/test-page";
import { signIn, signOut } from "../session";
import { UserMenu } from "./user-menu";

beforeEach(async () => {
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n();
});
afterEach(async () => {
  await cleanup();
  signOut();
});

const open = (username: string) => {
  signIn("token", { id: 1, username, role: "user" });
  return render(<UserMenu />).container.querySelector(".avatar")?.textContent;
};

test.each([
  ["alice", "A"],
  ["émile", "É"],
  ["😀 bob", "😀"],
  ["王芳", "王"],
  ["", "U"],
])("the avatar of “%s” is %s", (username, letter) => {
  expect(open(username)).toBe(letter);
});

test("the opened menu shows the username, which narrow screens have no other room for", async () => {
  open("charlie");
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  expect(within(screen.getByRole("menu")).getByText("charlie")).toBeTruthy();
});
