import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { insertUser } from "../../../src/modules/accounts/account/service";
import { enrollAgent } from "../../../src/testing/fixtures/agents";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { session } from "../../session";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import CreatePage from "./create-page";
import EditPage from "./edit-page";
import ListPage from "./list-page";

setUpPage({ path: "/users" });

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
const dialog = () => within(screen.getByRole("dialog"));

test("a long list of users has a search field", async () => {
  const hub = await startHubAs("alice");
  await show(<ListPage />);
  await screen.findByRole("link", { name: "bob" });
  expect(screen.queryByRole("searchbox")).toBeNull();
  const names = Array.from({ length: 18 }, (_, index) => `user-${index + 1}`);
  const rows = names.map((name) => ({ username: name, usernameKey: name, email: `${name}@example.com` }));
  await hub.db.transact(async (tx) => {
    for (const row of rows) await insertUser(tx, { ...row, role: "user", passwordHash: "", createdAt: 0 });
  });
  await press("Refresh");
  await userEvent.type(await screen.findByRole("searchbox"), "R-18@EXAMPLE");
  expect(screen.getAllByRole("row")).toHaveLength(2);
  await userEvent.type(screen.getByRole("searchbox"), "?");
  await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(screen.getAllByRole("row")).toHaveLength(22);
});

test("a list of users that fails to load shows an error and a retry button", async () => {
  const hub = await startHubAs("alice");
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  await show(<ListPage />);
  await screen.findByText("Failed to fetch user list");
  fakeServer.answer(hub.send);
  await press("Try again");
  await screen.findByRole("link", { name: "bob" });
});

test("administrators cannot delete their own account, and see why", async () => {
  await startHubAs("alice");
  await show(<ListPage />);
  await screen.findByRole("link", { name: "alice" });
  await press("Delete: alice");
  await screen.findByText("You can’t delete your own account. Another administrator can.");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the dialog to delete a user lists what is deleted, and a notice shows the outcome", async () => {
  const hub = await startHubAs("alice");
  for (const url of ["https://a.example/", "https://b.example/"]) await addMonitor(hub, hub.bob, { url });
  await enrollAgent(hub, hub.bob);
  await show(<ListPage />);
  await screen.findByRole("link", { name: "bob" });
  await press("Delete: bob");
  await dialog().findByText("2 monitors with all their checks");
  dialog().getByText("1 server with all its figures");
  expect(dialog().queryByText(/channel/)).toBeNull();
  hub.failNextChange();
  await userEvent.click(dialog().getByRole("button", { name: "Delete" }));
  await screen.findByText(/^Failed to delete user: /);
  await press("Delete: bob");
  await userEvent.click(dialog().getByRole("button", { name: "Delete" }));
  await screen.findByText("The user “bob” was deleted");
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "bob" }).length).toBe(0));
  expect((await hub.client.get("/api/users")).body.users.map(({ username }) => username)).toEqual(["alice", "charlie"]);
});

test("the registration switch is disabled while the configuration closes registration", async () => {
  await startHubAs("alice", { env: { REGISTRATION: "closed" } });
  await show(<ListPage />);
  await screen.findByText(/REGISTRATION=closed/);
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Open registration" }).disabled).toBe(true);
});

test("the registration switch changes at once, and back when the server refuses", async () => {
  const hub = await startHubAs("alice");
  await show(<ListPage />);
  const toggle = await screen.findByRole<HTMLInputElement>("switch", { name: "Open registration" });
  screen.getByText("Anyone who can open this site can create an account.");
  hub.failNextChange();
  await userEvent.click(toggle);
  await screen.findByText(/^Could not change registration: /);
  await waitFor(() => expect(toggle.checked).toBe(true));
  await userEvent.click(toggle);
  await screen.findByText("Registration is closed. Only administrators add users.");
  // The page shows the change before it is stored.
  await waitFor(async () => expect((await hub.anybody.get("/api/auth/registration")).body.open).toBe(false));
});

test("a refused new user shows the error at the field and keeps the input", async () => {
  const hub = await startHubAs("alice");
  await show(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Username *"), "dave");
  await userEvent.type(screen.getByLabelText("First password *"), "long enough");
  await userEvent.type(screen.getByLabelText(/^Email/), "dave@example");
  await press("Add user");
  await screen.findByText("Enter a valid email address");
  expect(screen.getByLabelText<HTMLInputElement>("First password *").value).toBe("long enough");
  await userEvent.type(screen.getByLabelText(/^Email/), ".com");
  await press("Add user");
  await screen.findByText("The user “dave” was added");
  const { body } = await hub.anybody.post("/api/auth/login", { username: "dave", password: "long enough" });
  expect(body.user).toMatchObject({ username: "dave", email: "dave@example.com", role: "user" });
});

test("the role of the only administrator cannot be changed, and a hint shows why", async () => {
  await startHubAs("alice");
  await show(<EditPage id="1" />);
  await screen.findByText("This is the only administrator. Make another user an administrator first.");
  expect(screen.getByLabelText<HTMLSelectElement>("Role").disabled).toBe(true);
});

test("giving up the own administrator role is confirmed and continues with the new token", async () => {
  const hub = await startHubAs("alice");
  await hub.client.put(`/api/users/${hub.bob.id}`, { role: "admin" });
  await show(<EditPage id="1" />);
  await userEvent.selectOptions(await screen.findByLabelText("Role"), "user");
  await press("Save");
  expect(changes()).toEqual([]);
  await userEvent.click(dialog().getByRole("button", { name: "Give up the role" }));
  await screen.findByText("You are no longer an administrator");
  const token = String(session().token);
  expect(session().user).toMatchObject({ username: "alice", role: "user" });
  expect((await hub.as({ ...hub.alice, token }).get("/api/auth/me")).body.user.role).toBe("user");
});

test("an administrator sets another user's password without the old one, and the own one on the profile page", async () => {
  const hub = await startHubAs("alice");
  await show(<EditPage id={String(hub.bob.id)} />);
  await userEvent.type(await screen.findByLabelText("New password *"), "a new password");
  await press("Set new password");
  await screen.findByText("“bob” has a new password");
  expect(screen.getByLabelText<HTMLInputElement>("New password *").value).toBe("");
  const login = { username: "bob", password: "a new password" };
  expect((await hub.anybody.post("/api/auth/login", login)).status).toBe(200);
  await cleanup();
  await show(<EditPage id="1" />);
  expect(screen.queryByLabelText("New password *")).toBeNull();
  screen.getByRole("link", { name: "Go to your profile" });
});

test.each(["99", "abc"])("the page of the unknown user %s shows that the user does not exist", async (id) => {
  await startHubAs("alice");
  await show(<EditPage id={id} />);
  await screen.findByRole("heading", { name: "User does not exist" });
});
