import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { session, signIn } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import type { User } from "./api";
import CreatePage from "./create-page";
import EditPage from "./edit-page";
import ListPage from "./list-page";

const user = (id: number, username: string, change: Partial<User> = {}): User => ({
  id,
  username,
  email: `${username}@example.com`,
  role: "user",
  created_at: "2026-01-01T00:00:00.000Z",
  ...change,
});
const alice = user(1, "alice", { role: "admin" });
const bob = user(2, "bob");

let users: User[];
let open: boolean;
let answer: (path: string, method: string) => Response | undefined;
const refusal = (status: number, code: string) => Response.json({ success: false, code, message: "" }, { status });

setUpPage({ path: "/users" });
beforeEach(() => {
  [users, open, answer] = [[alice, bob], true, () => undefined];
  fakeServer.answer((request, path) => {
    const special = answer(path, request.method);
    if (special) return special;
    if (path === "/api/users") return Response.json({ success: true, users });
    if (path === "/api/auth/registration") return Response.json({ success: true, open, first: false });
    const found = users.find(({ id }) => path === `/api/users/${id}`);
    return found
      ? Response.json({ success: true, user: found, owns: { monitors: 2, agents: 1, channels: 0 } })
      : refusal(404, "not_found");
  });
  signIn("token", alice);
});

const show = async (page: React.ReactNode) => {
  render(
    <>
      {page}
      <Toasts />
    </>,
  );
  await screen.findByRole("heading", { level: 1 });
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const sent = (method: string) => fakeServer.calls.filter((call) => call.method === method);
const dialog = () => within(screen.getByRole("dialog"));

test("a long list of users has a search field", async () => {
  await show(<ListPage />);
  await screen.findByRole("link", { name: "bob" });
  expect(screen.queryByRole("searchbox")).toBeNull();
  users = [alice, ...Array.from({ length: 20 }, (_, index) => user(index + 2, `user-${index}`))];
  await press("Refresh");
  await userEvent.type(await screen.findByRole("searchbox"), "R-19@EXAMPLE");
  expect(screen.getAllByRole("row")).toHaveLength(2);
  await userEvent.type(screen.getByRole("searchbox"), "?");
  await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(screen.getAllByRole("row")).toHaveLength(22);
});

test("a list of users that fails to load shows an error and a retry button", async () => {
  answer = (path) => (path === "/api/users" ? refusal(500, "internal") : undefined);
  await show(<ListPage />);
  await screen.findByText("Failed to fetch user list");
  answer = () => undefined;
  await press("Try again");
  await screen.findByRole("link", { name: "bob" });
});

test("administrators cannot delete their own account, and see why", async () => {
  await show(<ListPage />);
  await screen.findByRole("link", { name: "alice" });
  await press("Delete: alice");
  await screen.findByText("You can’t delete your own account. Another administrator can.");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the dialog to delete a user lists what is deleted, and a notice shows the outcome", async () => {
  await show(<ListPage />);
  await screen.findByRole("link", { name: "bob" });
  await press("Delete: bob");
  await dialog().findByText("2 monitors with all their checks");
  dialog().getByText("1 server with all its figures");
  expect(dialog().queryByText(/channel/)).toBeNull();
  answer = (_path, method) => (method === "DELETE" ? refusal(409, "last_admin") : undefined);
  await userEvent.click(dialog().getByRole("button", { name: "Delete" }));
  await screen.findByText("Failed to delete user: At least one administrator has to remain");
  answer = () => undefined;
  await press("Delete: bob");
  users = [alice];
  answer = (_path, method) => (method === "DELETE" ? Response.json({ success: true }) : undefined);
  await userEvent.click(dialog().getByRole("button", { name: "Delete" }));
  await screen.findByText("The user “bob” was deleted");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "bob" }).length).toBe(0));
});

test("the registration switch is disabled while the configuration closes registration", async () => {
  answer = (path) =>
    path === "/api/auth/registration"
      ? Response.json({ success: true, open: false, first: false, fixed: true })
      : undefined;
  await show(<ListPage />);
  await screen.findByText(/REGISTRATION=closed/);
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Open registration" }).disabled).toBe(true);
});

test("the registration switch changes at once, and back when the server refuses", async () => {
  await show(<ListPage />);
  const toggle = await screen.findByRole<HTMLInputElement>("switch", { name: "Open registration" });
  answer = (_path, method) => (method === "PUT" ? refusal(500, "internal") : undefined);
  await userEvent.click(toggle);
  await screen.findByText(/^Could not change registration: /);
  await waitFor(() => expect(toggle.checked).toBe(true));
  answer = (_path, method) => {
    if (method === "PUT") open = false;
    return method === "PUT" ? Response.json({ success: true, open }) : undefined;
  };
  await userEvent.click(toggle);
  await screen.findByText("Registration is closed. Only administrators add users.");
  expect(sent("PUT").map(({ body }) => body)).toEqual([{ open: false }, { open: false }]);
});

test("a refused new user shows the error at the field and keeps the input", async () => {
  await show(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Username *"), "bob");
  await userEvent.type(screen.getByLabelText("First password *"), "long enough");
  const errors = [{ path: "email", message: "email: expected an e-mail address" }];
  answer = (_path, method) =>
    method === "POST"
      ? Response.json({ success: false, code: "validation", message: "", errors }, { status: 422 })
      : undefined;
  await press("Add user");
  await screen.findByText("expected an e-mail address");
  expect(screen.getByLabelText<HTMLInputElement>("First password *").value).toBe("long enough");
  answer = (_path, method) =>
    method === "POST" ? Response.json({ success: true, message: "", user: bob }, { status: 201 }) : undefined;
  await press("Add user");
  await waitFor(() => expect(location.pathname).toBe("/users"));
  expect(sent("POST").at(-1)?.body).toEqual({ username: "bob", email: "", role: "user", password: "long enough" });
});

test("the role of the only administrator cannot be changed, and a hint shows why", async () => {
  await show(<EditPage id="1" />);
  await screen.findByText("This is the only administrator. Make another user an administrator first.");
  expect(screen.getByLabelText<HTMLSelectElement>("Role").disabled).toBe(true);
});

test("giving up the own administrator role is confirmed and continues with the new token", async () => {
  users = [alice, { ...bob, role: "admin" }];
  await show(<EditPage id="1" />);
  await userEvent.selectOptions(await screen.findByLabelText("Role"), "user");
  await press("Save");
  expect(sent("PUT")).toEqual([]);
  const saved = { ...alice, role: "user" };
  answer = (_path, method) =>
    method === "PUT" ? Response.json({ success: true, message: "", user: saved, token: "fresh" }) : undefined;
  await userEvent.click(dialog().getByRole("button", { name: "Give it up" }));
  await screen.findByText("You are no longer an administrator");
  expect(session()).toMatchObject({ token: "fresh", user: { role: "user" } });
});

test("an administrator sets another user's password without the old one, and the own one on the profile page", async () => {
  await show(<EditPage id="2" />);
  answer = (path) => (path.endsWith("/change-password") ? Response.json({ success: true, message: "" }) : undefined);
  await userEvent.type(await screen.findByLabelText("New password *"), "a new password");
  await press("Set new password");
  await screen.findByText("“bob” has a new password");
  expect(sent("POST")).toMatchObject([
    { path: "/api/users/2/change-password", body: { newPassword: "a new password" } },
  ]);
  expect(screen.getByLabelText<HTMLInputElement>("New password *").value).toBe("");
  await cleanup();
  await show(<EditPage id="1" />);
  expect(screen.queryByLabelText("New password *")).toBeNull();
  screen.getByRole("link", { name: "Go to your profile" });
});

test.each(["99", "abc"])("the page of the unknown user %s shows that the user does not exist", async (id) => {
  answer = (path) => (path === "/api/users/abc" ? refusal(422, "invalid_id") : undefined);
  await show(<EditPage id={id} />);
  await screen.findByRole("heading", { name: "User does not exist" });
});
