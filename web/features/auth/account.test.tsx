import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { setupCode } from "../../../src/modules/accounts/account/registration";
import { browserTimeZone } from "../../lib/format";
import { resetResources } from "../../lib/resource";
import { session, signIn, signOut } from "../../session";
import { changes, PASSWORD, startHub } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import HomePage from "../home/home-page";
import { reportTimeZone } from "./api";
import LoginPage from "./login-page";
import RegisterPage from "./register-page";

const type = async (words: Record<string, string>) => {
  for (const [label, value] of Object.entries(words)) await userEvent.type(screen.getByLabelText(label), value);
};

setUpPage({ path: "/login" });
beforeEach(() => {
  signOut();
});

const login = async (password: string) => {
  await type({ "Username *": "alice", "Password *": password });
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
};

test("signing in stores token and user and opens the dashboard", async () => {
  const hub = await startHub();
  const { alice } = await hub.people();
  render(<LoginPage />);
  await login(PASSWORD);
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
  const token = String(session().token);
  const { body } = await hub.as({ ...alice, token }).get("/api/auth/me");
  const time_zone = browserTimeZone();
  expect(body).toMatchObject({ user: { username: "alice", role: "admin" }, language: "en-US", time_zone });
  expect(session()).toEqual({ status: "authenticated", token, user: body.user });
});

test("the time zone of the browser is sent when it is another one than at the last sign-in", async () => {
  const hub = await startHub();
  const { alice } = await hub.people();
  signIn(alice.token, { ...alice, role: "admin" });
  const zone = async () => (await hub.as(alice).get("/api/auth/me")).body.time_zone;
  localStorage.setItem("timeZone", browserTimeZone());
  reportTimeZone();
  expect(await zone()).toBeNull();
  localStorage.setItem("timeZone", "Pacific/Kiritimati");
  reportTimeZone();
  await waitFor(async () => expect(await zone()).toBe(browserTimeZone()));
});

test("a password is sent with its surrounding spaces", async () => {
  const hub = await startHub();
  await hub.people();
  render(<LoginPage />);
  await login(` ${PASSWORD} `);
  expect((await screen.findByRole("alert")).textContent).toBe("Username or password is incorrect");
});

test("signing in leads back to the page that was asked for, and never to another site", async () => {
  const hub = await startHub();
  await hub.people();
  for (const [next, opened] of [
    ["/monitors/3?tab=history", "/monitors/3?tab=history"],
    ["//evil.example/", "/dashboard"],
    ["/\\evil.example", "/dashboard"],
    ["https://evil.example/", "/dashboard"],
    ["javascript:alert(1)", "/dashboard"],
  ] as const) {
    signOut();
    history.replaceState(null, "", `/login?${new URLSearchParams({ next })}`);
    render(<LoginPage />);
    expect(screen.queryByText("Sign in to open this page.") !== null).toBe(opened === next);
    await login(PASSWORD);
    await waitFor(() => expect(location.pathname + location.search).toBe(opened));
    await cleanup();
  }
});

test("empty fields are named in the page's words, and the first one has the focus", async () => {
  const hub = await startHub();
  await hub.people();
  render(<LoginPage />);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
    "Enter a username",
    "Enter a password",
  ]);
  await waitFor(() => expect(document.activeElement === screen.getByLabelText("Username *")).toBe(true));
  await userEvent.type(screen.getByLabelText("Username *"), "a");
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual(["Enter a password"]);
  expect(changes()).toEqual([]);
});

test("a password can be shown and hidden", async () => {
  const hub = await startHub();
  await hub.people();
  render(<LoginPage />);
  const field = screen.getByLabelText<HTMLInputElement>("Password *");
  await userEvent.click(screen.getByRole("button", { name: "Show the password" }));
  expect(field.type).toBe("text");
  await userEvent.click(screen.getByRole("button", { name: "Hide the password" }));
  expect(field.type).toBe("password");
});

test("home and the login page lead to registration while there is no account", async () => {
  const hub = await startHub();
  render(<HomePage />);
  const start = () => screen.getByRole("link", { name: "Get started" }).getAttribute("href");
  await waitFor(() => expect(start()).toBe("/register"));
  await cleanup();
  render(<LoginPage />);
  await waitFor(() => expect(location.pathname).toBe("/register"));
  await cleanup();
  await hub.people();
  resetResources();
  render(<HomePage />);
  await waitFor(() => expect(start()).toBe("/login"));
});

test("a wrong password shows an error and keeps the input", async () => {
  const hub = await startHub();
  await hub.people();
  render(<LoginPage />);
  await login("secret");
  expect((await screen.findByRole("alert")).textContent).toBe("Username or password is incorrect");
  expect(screen.getByLabelText<HTMLInputElement>("Username *").value).toBe("alice");
  expect(location.pathname).toBe("/login");
});

test("a sign-in answer without a token is a failure", async () => {
  fakeServer.answer(() =>
    Response.json({ success: true, message: "", user: { id: 1, username: "alice", role: "user" } }),
  );
  render(<LoginPage />);
  await login("secret");
  expect((await screen.findByRole("alert")).textContent).toBe("Could not sign in, please try again");
  expect(session().status).toBe("unauthenticated");
});

const register = async (change: { password?: string; confirm?: string } = {}) => {
  const { password = "long enough", confirm = password } = change;
  await type({
    "Username *": "alice",
    "Email *": "alice@example.com",
    "Password *": password,
    "Confirm password *": confirm,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Register" }));
};

test("registering the first account creates an administrator and opens the login page with a notice", async () => {
  const hub = await startHub();
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  await screen.findByText(/becomes the administrator/);
  await register();
  await waitFor(() => expect(location.pathname).toBe("/login"));
  await cleanup();
  render(<LoginPage />);
  await screen.findByRole("link", { name: "Register" });
  expect(screen.getByRole("status").textContent).toBe("Your account is ready. Please sign in.");
  // The name is filled in, and the password is what is left.
  expect(screen.getByLabelText<HTMLInputElement>("Username *").value).toBe("alice");
  await waitFor(() => expect(document.activeElement === screen.getByLabelText("Password *")).toBe(true));
  const { body } = await hub.anybody.post("/api/auth/login", { username: "alice", password: "long enough" });
  expect(body.user).toMatchObject({ username: "alice", email: "alice@example.com", role: "admin" });
  // A reload does not show it again.
  await cleanup();
  render(<LoginPage />);
  await screen.findByRole("link", { name: "Register" });
  expect(screen.queryByRole("status") === null).toBe(true);
});

test("registering keeps the page that was asked for", async () => {
  await startHub();
  history.replaceState(null, "", "/register?next=%2Fmonitors%2F3");
  render(<RegisterPage />);
  expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/login?next=%2Fmonitors%2F3");
  await register();
  await waitFor(() => expect(location.pathname + location.search).toBe("/login?next=%2Fmonitors%2F3"));
  await cleanup();
  render(<LoginPage />);
  const link = await screen.findByRole("link", { name: "Register" });
  expect(link.getAttribute("href")).toBe("/register?next=%2Fmonitors%2F3");
});

test("a registration answered 200 without success is a failure", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("registration")
      ? Response.json({ success: true, open: true, first: false })
      : Response.json({ success: false, message: "Not today" }),
  );
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  await register();
  expect((await screen.findByRole("alert")).textContent).toBe("Not today");
  expect(location.pathname).toBe("/register");
});

test("the registration form shows the setup code field when the server requires it, and sends the code", async () => {
  const hub = await startHub();
  const code = await setupCode(hub.deps);
  hub.app.server = {
    requestIP: () => ({ address: "203.0.113.9" }),
    timeout: () => {},
  } as unknown as typeof hub.app.server;
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  await register();
  await screen.findByLabelText("Setup code *");
  await type({ "Setup code *": code });
  await userEvent.click(await screen.findByRole("button", { name: "Register" }));
  await waitFor(() => expect(location.pathname).toBe("/login"));
  expect(changes().map(({ body }) => body)).toMatchObject([{ username: "alice" }, { setup_code: code }]);
});

test("the logged address fills in the setup code, also while registration is closed", async () => {
  await startHub({ env: { REGISTRATION: "closed" } });
  history.replaceState(null, "", "/register#AAAAA-BBBBB-CCCCC-DDDDD");
  render(<RegisterPage />);
  expect((await screen.findByLabelText<HTMLInputElement>("Setup code *")).value).toBe("AAAAA-BBBBB-CCCCC-DDDDD");
});

test("the login page links to registration only while it is open", async () => {
  const hub = await startHub();
  const { alice } = await hub.people();
  render(<LoginPage />);
  await screen.findByRole("link", { name: "Register" });
  await hub.as(alice).put("/api/auth/registration", { open: false });
  await cleanup();
  render(<LoginPage />);
  await waitFor(() => expect(screen.queryByRole("link", { name: "Register" }) === null).toBe(true));
});

test("the login page shows a notice after a session has ended", async () => {
  await startHub();
  for (const unsaved of [false, true]) {
    history.replaceState({ ended: true, unsaved }, "", "/login");
    render(<LoginPage />);
    const text = screen.getByRole("status").textContent;
    expect(text).toStartWith("Your session has ended. Sign in again to continue where you were.");
    expect(text.endsWith("Unsaved changes have to be entered again.")).toBe(unsaved);
    await cleanup();
  }
});

test("passwords that differ are refused without a call", async () => {
  await startHub();
  render(<RegisterPage />);
  await register({ confirm: "something else" });
  expect((await screen.findByRole("alert")).textContent).toBe("Passwords do not match");
  expect(changes()).toEqual([]);
});

test("a password that is shown is typed once", async () => {
  const hub = await startHub();
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  const [show] = screen.getAllByRole("button", { name: "Show the password" });
  if (show) await userEvent.click(show);
  expect(screen.queryByLabelText("Confirm password *") === null).toBe(true);
  await type({ "Username *": "alice", "Email *": "alice@example.com", "Password *": "long enough" });
  await userEvent.click(screen.getByRole("button", { name: "Register" }));
  await waitFor(() => expect(location.pathname).toBe("/login"));
  const { status } = await hub.anybody.post("/api/auth/login", { username: "alice", password: "long enough" });
  expect(status).toBe(200);
});

test("registering a taken username shows an error", async () => {
  const hub = await startHub();
  await hub.people();
  render(<RegisterPage />);
  await register();
  expect((await screen.findByRole("alert")).textContent).toBe("Username already exists");
});

test("registering with a common password shows an error", async () => {
  const hub = await startHub();
  await hub.people();
  render(<RegisterPage />);
  await register({ password: "password123" });
  expect((await screen.findByRole("alert")).textContent).toMatch(/^This password is too easy to guess/);
});

test("closed registration shows a notice in place of the form", async () => {
  await startHub({ env: { REGISTRATION: "closed" } });
  render(<RegisterPage />);
  await screen.findByRole("heading", { name: "Registration is closed" });
  expect(screen.queryByLabelText("Username *")).toBeNull();
});
