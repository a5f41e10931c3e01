import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { addAuthenticator } from "../../../src/testing/fixtures/people";
import { session, signOut } from "../../session";
import { PASSWORD, startHub } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent, waitFor } from "../../testing/test-page";
import LoginPage from "./login-page";

setUpPage({ path: "/login" });

const login = async () => {
  await userEvent.type(screen.getByLabelText("Username *"), "alice");
  await userEvent.type(screen.getByLabelText("Password *"), PASSWORD);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
};

test("an account with an authenticator app asks for a code, or a recovery code, and then opens the page asked for", async () => {
  const hub = await startHub();
  const { alice } = await hub.people();
  const { code, recoveryCodes } = await addAuthenticator(hub, alice);
  hub.clock.set(hub.clock.now() + 30_000);
  history.replaceState(null, "", "/login?next=%2Fmonitors%2F3");
  render(<LoginPage />);
  await login();
  await screen.findByRole("heading", { name: "Two-step sign-in" });
  const field = screen.getByLabelText<HTMLInputElement>("Code *");
  await waitFor(() => expect(document.activeElement === field).toBe(true));
  await userEvent.type(field, "000000");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toBe("This code is wrong");
  await userEvent.clear(field);
  await userEvent.paste(` ${code()} `);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors/3"));
  expect(session().user?.username).toBe("alice");
  signOut();
  await cleanup();
  history.replaceState(null, "", "/login");
  render(<LoginPage />);
  await login();
  await userEvent.click(await screen.findByRole("button", { name: "Use a recovery code" }));
  await userEvent.type(screen.getByLabelText("Recovery code *"), recoveryCodes[0]?.toLowerCase() ?? "");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
});
