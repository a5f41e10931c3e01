import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { telegramChannel } from "../../../src/testing/fixtures/alerts";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { addTexts } from "../../i18n";
import { enUS } from "../../locales/en-US";
import { session, signOut } from "../../session";
import { changes, PASSWORD, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, cleanup, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { changePassword } from "./api";
import ProfilePage from "./profile-page";
import { texts } from "./texts";

setUpPage({ path: "/profile" });

const show = async (section = "") => {
  addTexts({ keyScopes: texts });
  history.replaceState(null, "", section ? `/profile/${section}` : "/profile");
  render(
    <>
      <ProfilePage id={section} />
      <Toasts />
    </>,
  );
  await waitFor(() => expect(document.querySelector(".profile .card") === null).toBe(false));
};

/** Starts a hub and opens a section of the profile of bob. */
const open = async (section?: string) => {
  const hub = await startHubAs("bob");
  await show(section);
  return hub;
};

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
/** Submits the dialog that is open. */
const submit = async (name: string) =>
  userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name }));
const NEW_PASSWORD = " a better one ";
const fill = async ({ current = PASSWORD, confirm = NEW_PASSWORD } = {}) => {
  await type("Current password *", current);
  await type("New password *", NEW_PASSWORD);
  await type("Confirm new password *", confirm);
  await press("Change password");
};

test("each section has an address, which its link leads to", async () => {
  await open();
  const links = within(screen.getByRole("navigation", { name: "Profile" })).getAllByRole<HTMLAnchorElement>("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("aria-current")])).toEqual(
    [
      ["Basic information", "/profile", "page"],
      ["Change password", "/profile/password", null],
      ["Security", "/profile/security", null],
      ["Sessions", "/profile/sessions", null],
      ["Team", "/profile/team", null],
      ["API keys", "/profile/keys", null],
      ["Wall addresses", "/profile/walls", null],
      ["Notification settings", "/profile/alerts", null],
      ["Changes", "/profile/changes", null],
      ["Your limits", "/profile/quotas", null],
      ["Your data", "/profile/data", null],
    ],
  );
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Basic information",
  ]);
});

test("an old link that names a section by its hash leads to the section", async () => {
  await startHubAs("bob");
  history.replaceState(null, "", "/profile#keys");
  render(<ProfilePage />);
  await waitFor(() => expect(location.pathname + location.hash).toBe("/profile/keys"));
});

test("a section that does not exist leads to the profile", async () => {
  await startHubAs("bob");
  for (const section of ["nothing", "basics"]) {
    history.replaceState(null, "", `/profile/${section}`);
    render(<ProfilePage id={section} />);
    await waitFor(() => expect(location.pathname).toBe("/profile"));
    await cleanup();
  }
});

test("administrators, who have no limits, have no section about them", async () => {
  await startHubAs("alice");
  history.replaceState(null, "", "/profile/quotas");
  render(<ProfilePage id="quotas" />);
  await waitFor(() => expect(location.pathname).toBe("/profile"));
  expect(screen.queryByRole("link", { name: "Your limits" }) === null).toBe(true);
});

test("saving a username updates the session", async () => {
  const { client } = await open();
  await userEvent.clear(screen.getByLabelText("Username *"));
  await type("Username *", " robert ");
  await press("Save");
  await screen.findByText("Profile saved");
  const { body } = await client.get("/api/auth/me");
  expect(body.user).toMatchObject({ username: "robert", email: null });
  expect(session().user).toEqual(body.user);
});

test("a taken username shows an error and keeps the input", async () => {
  await open();
  await userEvent.clear(screen.getByLabelText("Username *"));
  await type("Username *", "Charlie");
  await press("Save");
  await screen.findByText("Username already exists");
  const field = screen.getByLabelText<HTMLInputElement>("Username *");
  expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["Charlie", "true"]);
  await waitFor(() => expect(document.activeElement === field).toBe(true));
});

test("passwords that differ are refused without a call", async () => {
  await open("password");
  await fill({ confirm: "a better two" });
  expect((await screen.findByRole("alert")).textContent).toBe("Passwords do not match");
  expect(changes()).toEqual([]);
});

test("that passwords differ is shown until they are the same", async () => {
  await open("password");
  await fill({ confirm: `${NEW_PASSWORD}2` });
  await screen.findByText("Passwords do not match");
  await type("Current password *", "x");
  expect(screen.queryByText("Passwords do not match") !== null).toBe(true);
  await type("New password *", "2");
  expect(screen.queryByText("Passwords do not match") === null).toBe(true);
});

test("a wrong current password shows an error and keeps the session", async () => {
  const { user } = await open("password");
  await fill({ current: "old one" });
  await screen.findByText("The current password is wrong");
  expect(screen.getByLabelText("Current password *").getAttribute("aria-invalid")).toBe("true");
  expect(session().token).toBe(user.token);
});

test("changing the password stores the new token and empties the fields", async () => {
  const hub = await open("password");
  await fill();
  await screen.findByText("Password changed. All other sessions have ended.");
  const token = String(session().token);
  expect(localStorage.getItem("token")).toBe(token);
  expect((await hub.client.get("/api/auth/me")).status).toBe(401);
  expect((await hub.as({ ...hub.user, token }).get("/api/auth/me")).body.user.username).toBe("bob");
  const login = { username: "bob", password: NEW_PASSWORD };
  expect((await hub.anybody.post("/api/auth/login", login)).status).toBe(200);
  expect(screen.getByLabelText<HTMLInputElement>("New password *").value).toBe("");
});

test("changing the password after another tab signed out shows an error", async () => {
  await open("password");
  act(() => signOut());
  const change = changePassword({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  expect(await change.catch((error) => error.code)).toBe("not_logged_in");
  expect(enUS.errors.code.not_logged_in).toBe("User not logged in");
  expect(changes()).toEqual([]);
});

test("a new API key is shown once, with an example command", async () => {
  const { client } = await open("keys");
  await press("Add key");
  await type("Name *", " backup ");
  await submit("Add key");
  const key = (await screen.findByText(/^wk_/)).textContent;
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Copy: Key"));
  const { keys } = (await client.get("/api/keys")).body;
  expect(keys).toMatchObject([{ name: "backup", scope: "read", expires_at: null }]);
  const example = `curl -H "Authorization: Bearer ${key}" ${location.origin}/api/monitors`;
  expect(screen.getAllByRole("code").map(({ textContent }) => textContent)).toEqual([key, example]);
  await screen.findByText(/never used/);
  await press("I have saved it");
  expect(document.body.textContent).not.toContain(key);
});

test("the key form says in words what a key may do", async () => {
  const { client } = await open("keys");
  await press("Add key");
  const use = screen.getByLabelText<HTMLSelectElement>("What it is for");
  expect([...use.options].map(({ text }) => text).join(", ")).toBe(
    "Read everything, Change everything, Only pings, Publish the status page and incidents, Enroll servers, Maintenance of deployments, Choose…",
  );
  screen.getByText("Views what you can view. It doesn’t see headers, bodies or passwords in the URLs of monitors.");
  await userEvent.selectOptions(use, "Enroll servers");
  screen.getByText("Creates and revokes registration tokens, and reads nothing.");
  await type("Name *", "ansible");
  await submit("Add key");
  const key = (await screen.findByText(/^wk_/)).textContent;
  screen.getByText(`curl -H "Authorization: Bearer ${key}" -X POST ${location.origin}/api/agents/token/generate`);
  expect((await client.get("/api/keys")).body.keys[0]?.scopes).toEqual(["enroll"]);
  within(await screen.findByRole("list")).getByText("Enroll servers");
});

test("the scopes of a key can be chosen one by one, at least one", async () => {
  const { client } = await open("keys");
  await press("Add key");
  await type("Name *", "on-call bot");
  await userEvent.selectOptions(screen.getByLabelText("What it is for"), "Choose…");
  await userEvent.click(screen.getByRole("checkbox", { name: "Read" }));
  await submit("Add key");
  await screen.findByText("Choose at least one");
  expect(changes()).toEqual([]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Acknowledge" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Read" }));
  await submit("Add key");
  await screen.findByText(/^wk_/);
  expect((await client.get("/api/keys")).body.keys[0]?.scopes).toEqual(["read", "ack"]);
});

test("revoking a key is confirmed, and a notice shows the outcome", async () => {
  const hub = await startHubAs("bob");
  const { key } = (await hub.client.post("/api/keys", { name: "backup", scope: "read" })).body;
  await hub.as({ ...hub.bob, token: key }).get("/api/monitors");
  await show("keys");
  await userEvent.click(await screen.findByRole("button", { name: "Revoke: backup" }));
  expect(screen.queryByText(/never used/)).toBeNull();
  hub.failNextChange();
  const yes = () => within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" });
  await userEvent.click(yes());
  await screen.findByText(/^Could not revoke the API key: /);
  await press("Revoke: backup");
  await userEvent.click(yes());
  await screen.findByText("No API keys yet");
  expect((await hub.client.get("/api/keys")).body.keys).toEqual([]);
});

test("the alert language is saved, and changes back when the server refuses it", async () => {
  const hub = await open("alerts");
  const language = screen.getByLabelText<HTMLSelectElement>("Alert language");
  const saved = async () => (await hub.client.get("/api/auth/me")).body.language;
  await userEvent.selectOptions(language, "zh-CN");
  await screen.findByText("Alert language changed");
  await screen.findByText("Shop 无法访问");
  expect(await saved()).toBe("zh-CN");
  hub.failNextChange();
  await userEvent.selectOptions(language, "en-US");
  await screen.findByText(/^Could not change the alert language: /);
  await waitFor(() => expect(language.value).toBe("zh-CN"));
  expect(await saved()).toBe("zh-CN");
});

/** Chooses a file in the field of the import. */
const choose = async (text: string) => {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("there is no place for a file");
  await userEvent.upload(input, new File([text], "mine.json", { type: "application/json" }));
};

test("an import shows what was created, what was skipped and what to do manually", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.user, { url: "https://example.com/" });
  await hub.client.post("/api/notifications/channels", telegramChannel("On-call"));
  await hub.client.post("/api/status/config", { title: "Ours" });
  const file = (await hub.client.get("/api/export")).text;
  await hub.signIn(hub.charlie);
  const client = hub.as(hub.charlie);
  await client.post("/api/status/config", { title: "Mine" });
  await show("data");
  await choose(file);
  await screen.findByText(/Added: 1 monitor and 1 channel\./);
  screen.getByText(/Already there: .*the status page\./);
  screen.getByText("The channel “On-call” is switched off until you enter its secret.");
  screen.getByText("Your own status page differs and was kept.");
  expect((await client.get("/api/monitors")).body.monitors).toMatchObject([{ url: "https://example.com/" }]);
});

test("a file in another format is refused without a call", async () => {
  await open("data");
  await choose("hello");
  await screen.findByText("Nothing was imported: This file was not exported by Wakeful");
  expect(changes()).toEqual([]);
});

test("sessions are listed by device and ended one by one or all others at once", async () => {
  const hub = await startHubAs("bob");
  for (const agent of ["curl/8.14.1", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"])
    await hub.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD }, { "user-agent": agent });
  const count = async () => (await hub.client.get("/api/auth/sessions")).body.sessions.length;
  await show("sessions");
  await screen.findByText("Firefox · Linux");
  screen.getByText("This device");
  await press("Sign out: curl");
  await screen.findByText("Signed out");
  expect(await count()).toBe(2);
  await press("Sign out everywhere else");
  await waitFor(async () => expect(await count()).toBe(1));
});
