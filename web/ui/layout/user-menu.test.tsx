import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { session, signIn } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { UserMenu } from "./menus";

setUpPage();

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
])("the avatar of the user “%s” shows %s", (username, letter) => {
  expect(open(username)).toBe(letter);
});

test("the open user menu shows the username, which the button omits on narrow screens", async () => {
  open("charlie");
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  expect(within(screen.getByRole("menu")).getByText("charlie")).toBeTruthy();
});

test.each([
  ["user", ["Profile", "API documentation"]],
  ["admin", ["Profile", "API documentation", "Users", "Security log", "System"]],
] as const)("the menu of a %s has the profile before the entries of administrators", async (role, entries) => {
  signIn("token", { id: 1, username: "charlie", role });
  render(<UserMenu themed={false} />);
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(items.filter((item) => item !== "Reports")).toEqual([...entries, "Sign out"]);
  expect(screen.queryByText("Administration") !== null).toBe(role === "admin");
});

test.each([
  ["succeeds", 200],
  ["finds the session already ended", 401],
  ["fails", 503],
])("signing out clears the local session when the sign-out call %s", async (_, status) => {
  fakeServer.reset();
  fakeServer.answer(() => Response.json({ success: status === 200 }, { status }));
  open("charlie");
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Sign out" }));
  expect([session().status, location.pathname]).toEqual(["unauthenticated", "/login"]);
  const sent = () => fakeServer.calls.map(({ method, path, authorization }) => [method, path, authorization]);
  await waitFor(() => expect(sent()).toEqual([["POST", "/api/auth/logout", "Bearer token"]]));
});
