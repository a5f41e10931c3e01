import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { enUS } from "../../locales/en-US";
import { session, signIn, signOut } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { act, cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { changePassword, type Key } from "./api";
import ProfilePage from "./profile-page";

const bob = { id: 2, username: "bob", email: null, role: "user", created_at: "2026-01-01T00:00:00.000Z" };
const backup: Key = {
  id: 5,
  name: "backup",
  scope: "read",
  created_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
  last_used_at: null,
};

let keys: Key[];
const seen = { created_at: "2026-01-01T00:00:00.000Z", last_seen_at: "2026-01-01T00:00:00.000Z", address: "192.0.2.1" };
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const sessions = [
  { id: "here", user_agent: FIREFOX, current: true, ...seen },
  { id: "there", user_agent: "curl/8.14.1", current: false, ...seen },
];
let answer: (path: string, method: string) => Response | undefined;
const refusal = (status: number, code: string) => Response.json({ success: false, code, message: "" }, { status });
const unlessGet = (make: () => Response) => (_path: string, method: string) => (method === "GET" ? undefined : make());

setUpPage({ path: "/profile" });
beforeEach(async () => {
  [keys, answer] = [[], () => undefined];
  fakeServer.answer((request, path) => {
    const special = answer(path, request.method);
    if (special) return special;
    if (path === "/api/auth/me") return Response.json({ success: true, user: bob, language: "zh-CN" });
    if (path === "/api/auth/sessions") return Response.json({ success: true, sessions });
    return path === "/api/keys" ? Response.json({ success: true, keys }) : refusal(404, "not_found");
  });
  signIn("token", bob);
  render(
    <>
      <ProfilePage />
      <Toasts />
    </>,
  );
  await screen.findByLabelText("Username *");
});

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const sent = () => fakeServer.calls.filter(({ method }) => method !== "GET");
const fill = async (confirm = "a better one") => {
  await type("Current password *", " old one ");
  await type("New password *", "a better one");
  await type("Confirm new password *", confirm);
  await press("Change password");
};

test("saving a username updates the session", async () => {
  answer = unlessGet(() => Response.json({ success: true, message: "", user: { ...bob, username: "robert" } }));
  expect(screen.queryByLabelText("Your password *") === null).toBe(true);
  await userEvent.clear(screen.getByLabelText("Username *"));
  await type("Username *", " robert ");
  await type("Your password *", "secret");
  await press("Save");
  await screen.findByText("Profile saved");
  expect(sent()).toMatchObject([
    { method: "PUT", path: "/api/users/2", body: { username: "robert", email: "", currentPassword: "secret" } },
  ]);
  expect(session()).toMatchObject({ token: "token", user: { username: "robert" } });
});

test("a taken username shows an error and keeps the input", async () => {
  answer = unlessGet(() => refusal(409, "username_taken"));
  await type("Username *", "by");
  await type("Your password *", "secret");
  await press("Save");
  await screen.findByText("Failed to update profile: Username already exists");
  expect(screen.getByLabelText<HTMLInputElement>("Username *").value).toBe("bobby");
});

test("passwords that differ are refused without a call", async () => {
  await fill("a better two");
  expect((await screen.findByRole("alert")).textContent).toBe("Passwords do not match");
  expect(sent()).toEqual([]);
});

test("an error of the password form disappears when a field is edited", async () => {
  await fill("a better two");
  await screen.findByText("Passwords do not match");
  await type("Current password *", "x");
  expect(screen.queryByText("Passwords do not match")).toBeNull();
});

test("a wrong current password shows an error and keeps the session", async () => {
  answer = unlessGet(() => refusal(422, "wrong_password"));
  await fill();
  await screen.findByText("Failed to change password: The current password is wrong");
  expect(session().token).toBe("token");
});

test("changing the password stores the new token and empties the fields", async () => {
  answer = unlessGet(() => Response.json({ success: true, message: "", token: "fresh" }));
  await fill();
  await screen.findByText("Password changed. All other sessions have ended.");
  expect(sent().map(({ path, body }) => [path, body])).toEqual([
    ["/api/users/2/change-password", { currentPassword: " old one ", newPassword: "a better one" }],
  ]);
  expect(session()).toMatchObject({ token: "fresh", user: { username: "bob" } });
  expect(localStorage.getItem("token")).toBe("fresh");
  expect(screen.getByLabelText<HTMLInputElement>("New password *").value).toBe("");
});

test("changing the password after another tab signed out shows an error", async () => {
  act(() => signOut());
  const change = changePassword({ currentPassword: "old", newPassword: "a better one" });
  expect(await change.catch((error) => error.code)).toBe("not_logged_in");
  expect(enUS.errors.code.not_logged_in).toBe("User not logged in");
  expect(sent()).toEqual([]);
});

test("a new API key is shown once, with an example command", async () => {
  const { last_used_at: _, ...data } = backup;
  answer = (_path, method) => {
    if (method !== "POST") return undefined;
    keys = [backup];
    return Response.json({ success: true, key: "wk_secret", data }, { status: 201 });
  };
  await type("Name *", " backup ");
  await press("Create key");
  await screen.findByText("wk_secret");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Copy: Key"));
  expect(sent().map(({ body }) => body)).toEqual([{ name: "backup", scope: "read", expires_in_days: null }]);
  const example = `curl -H "Authorization: Bearer wk_secret" ${location.origin}/api/monitors`;
  expect(screen.getAllByRole("code").map(({ textContent }) => textContent)).toEqual(["wk_secret", example]);
  await screen.findByText(/never used/);
  await press("I have saved it");
  expect(document.body.textContent).not.toContain("wk_secret");
});

test("the key form explains each scope", async () => {
  screen.getByText(
    "Can look at what you can and change nothing. It does not see headers, bodies and passwords in addresses of monitors.",
  );
  await userEvent.selectOptions(screen.getByLabelText("Access"), "full");
  screen.getByText(
    "Can view and change monitors, servers and the status page, but not users, keys, channels and registration tokens.",
  );
});

test("revoking a key is confirmed, and a notice shows the outcome", async () => {
  keys = [backup];
  await press("Create key");
  await cleanup();
  render(
    <>
      <ProfilePage />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Revoke: backup" }));
  answer = unlessGet(() => refusal(500, "internal"));
  const yes = () => within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" });
  await userEvent.click(yes());
  await screen.findByText(/^Could not revoke the API key: /);
  answer = unlessGet(() => {
    keys = [];
    return Response.json({ success: true });
  });
  await press("Revoke: backup");
  await userEvent.click(yes());
  await screen.findByText("No API keys yet");
  expect(sent().map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /api/keys/5", "DELETE /api/keys/5"]);
});

test("the alert language changes back when the server refuses it", async () => {
  answer = unlessGet(() => refusal(500, "internal"));
  const language = screen.getByLabelText<HTMLSelectElement>("Language of alerts");
  expect(language.value).toBe("zh-CN");
  await userEvent.selectOptions(language, "en-US");
  await screen.findByText(/^Could not change the language of alerts: /);
  await waitFor(() => expect(language.value).toBe("zh-CN"));
});

test("an import shows what was created, what was skipped and what to do manually", async () => {
  const counts = { monitors: 0, channels: 0, settings: 0, status_page: 0 };
  const notes = [
    { path: "channels.0", code: "secret_missing", message: "" },
    { path: "status_page", code: "kept", message: "" },
  ];
  answer = unlessGet(() =>
    Response.json({
      success: true,
      message: "",
      created: { ...counts, monitors: 2, channels: 1 },
      skipped: { ...counts, settings: 1, status_page: 1 },
      notes,
    }),
  );
  const file = {
    format: "wakeful-configuration",
    version: 1,
    channels: [{ name: "On-call", type: "telegram", config: {} }],
  };
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("there is no place for a file");
  await userEvent.upload(input, new File([JSON.stringify(file)], "mine.json", { type: "application/json" }));
  await screen.findByText(/Added: 2 monitors and 1 channel\./);
  screen.getByText(/Already there: 1 notification setting and the status page\./);
  screen.getByText("The channel “On-call” is switched off until you enter its secret.");
  screen.getByText("Your own status page differs, and stays as it is.");
  expect(sent()).toMatchObject([{ path: "/api/import", body: file }]);
});

test("a file in another format is refused without a call", async () => {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("there is no place for a file");
  await userEvent.upload(input, new File(["hello"], "mine.json", { type: "application/json" }));
  await screen.findByText("Nothing was imported: This file was not exported by Wakeful");
  expect(sent()).toEqual([]);
});

test("sessions are listed by device and ended one by one or all others at once", async () => {
  await screen.findByText("Firefox · Linux");
  screen.getByText("This device");
  answer = unlessGet(() => Response.json({ success: true, ended: 1 }));
  await press("Sign out: curl");
  await screen.findByText("Signed out");
  await press("Sign out everywhere else");
  await waitFor(() =>
    expect(sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /api/auth/sessions/there",
      "DELETE /api/auth/sessions",
    ]),
  );
});
