import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { session, signOut } from "../../session";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import LoginPage from "./login-page";
import RegisterPage from "./register-page";

const refusal = (status: number, code: string) => Response.json({ success: false, code, message: code }, { status });
const type = async (words: Record<string, string>) => {
  for (const [label, value] of Object.entries(words)) await userEvent.type(screen.getByLabelText(label), value);
};

setUpPage({ path: "/login" });
beforeEach(() => {
  signOut();
});

const login = async () => {
  await type({ "Username *": "alice", "Password *": " secret " });
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
};

test("signing in stores token and user and opens the dashboard", async () => {
  const user = { id: 1, username: "alice", email: null, role: "admin" };
  fakeServer.answer(() => Response.json({ success: true, message: "", token: "fresh", user }));
  render(<LoginPage />);
  await login();
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
  expect(fakeServer.calls.find(({ method }) => method === "POST")?.body).toEqual({
    username: "alice",
    password: " secret ",
    language: "en-US",
  });
  expect(session()).toEqual({ status: "authenticated", token: "fresh", user });
});

test("a wrong password shows an error and keeps the input", async () => {
  fakeServer.answer(() => refusal(401, "invalid_credentials"));
  render(<LoginPage />);
  await login();
  expect((await screen.findByRole("alert")).textContent).toBe("Username or password is incorrect");
  expect(screen.getByLabelText<HTMLInputElement>("Username *").value).toBe("alice");
  expect(location.pathname).toBe("/login");
});

test("a sign-in answer without a token is a failure", async () => {
  fakeServer.answer(() =>
    Response.json({ success: true, message: "", user: { id: 1, username: "alice", role: "user" } }),
  );
  render(<LoginPage />);
  await login();
  expect((await screen.findByRole("alert")).textContent).toBe("Could not sign in, please try again");
  expect(session().status).toBe("unauthenticated");
});

const register = async (confirm: string) => {
  await type({
    "Username *": "alice",
    "Email *": "alice@example.com",
    "Password *": "long enough",
    "Confirm password *": confirm,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Register" }));
};
const registrationState = (state: object) => Response.json({ success: true, open: true, first: false, ...state });

test("registering opens the login page with a notice of success", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("registration")
      ? registrationState({})
      : Response.json({ success: true, message: "" }, { status: 201 }),
  );
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  await register("long enough");
  await waitFor(() => expect(location.pathname).toBe("/login"));
  await cleanup();
  render(<LoginPage />);
  expect(screen.getByRole("status").textContent).toBe("Your account is ready. Please sign in.");
  // A reload does not show it again.
  await cleanup();
  render(<LoginPage />);
  expect(screen.queryByRole("status") === null).toBe(true);
});

test("a registration answered 200 without success is a failure", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("registration") ? registrationState({}) : Response.json({ success: false, message: "Not today" }),
  );
  history.replaceState(null, "", "/register");
  render(<RegisterPage />);
  await register("long enough");
  expect((await screen.findByRole("alert")).textContent).toBe("Not today");
  expect(location.pathname).toBe("/register");
});

test("the registration form shows the setup code field when the server requires it, and sends the code", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("registration") ? registrationState({}) : refusal(403, "setup_code_required"),
  );
  render(<RegisterPage />);
  await register("long enough");
  await screen.findByLabelText("Setup code *");
  await type({ "Setup code *": "AAAAA-BBBBB-CCCCC-DDDDD" });
  await userEvent.click(await screen.findByRole("button", { name: "Register" }));
  await waitFor(() => expect(fakeServer.calls.filter(({ method }) => method === "POST")).toHaveLength(2));
  const sent = fakeServer.calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toMatchObject([{ username: "alice" }, { setup_code: "AAAAA-BBBBB-CCCCC-DDDDD" }]);
});

test("the logged address fills in the setup code, also while registration is closed", async () => {
  fakeServer.answer(() => registrationState({ open: false }));
  history.replaceState(null, "", "/register#AAAAA-BBBBB-CCCCC-DDDDD");
  render(<RegisterPage />);
  expect((await screen.findByLabelText<HTMLInputElement>("Setup code *")).value).toBe("AAAAA-BBBBB-CCCCC-DDDDD");
});

test("the login page links to registration only while it is open", async () => {
  fakeServer.answer(() => registrationState({ open: false }));
  render(<LoginPage />);
  await waitFor(() => expect(screen.queryByRole("link", { name: "Register" }) === null).toBe(true));
});

test("the login page shows a notice after a session has ended", async () => {
  fakeServer.answer(() => registrationState({}));
  history.replaceState({ ended: true }, "", "/login");
  render(<LoginPage />);
  expect(screen.getByRole("status").textContent).toBe("Your session has ended. Please sign in again.");
});

test("passwords that differ are refused without a call", async () => {
  fakeServer.answer(() => registrationState({}));
  render(<RegisterPage />);
  await register("something else");
  expect((await screen.findByRole("alert")).textContent).toBe("Passwords do not match");
  expect(fakeServer.calls.some(({ path }) => path.endsWith("/register"))).toBe(false);
});

test("registering a taken username shows an error", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("registration") ? registrationState({}) : refusal(409, "username_taken"),
  );
  render(<RegisterPage />);
  await register("long enough");
  expect((await screen.findByRole("alert")).textContent).toBe("Username already exists");
});

test("the registration of the first account shows that it becomes the administrator", async () => {
  fakeServer.answer(() => registrationState({ first: true }));
  render(<RegisterPage />);
  await screen.findByText(/becomes the administrator/);
});

test("closed registration shows a notice in place of the form", async () => {
  fakeServer.answer(() => registrationState({ open: false }));
  render(<RegisterPage />);
  await screen.findByRole("heading", { name: "Registration is closed" });
  expect(screen.queryByLabelText("Username *")).toBeNull();
});
