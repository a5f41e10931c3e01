import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { codeAt } from "../../../../src/modules/accounts/factors/totp";
import { addAuthenticator } from "../../../../src/testing/fixtures/people";
import { api, payload } from "../../../api";
import { session } from "../../../session";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import ProfilePage from "../profile-page";

setUpPage({ path: "/profile/security" });

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

const show = () =>
  render(
    <>
      <ProfilePage id="security" />
      <Toasts />
    </>,
  );

test("an authenticator app is set up by its secret and first code, and the recovery codes are shown once", async () => {
  const { client, clock } = await startHubAs("bob");
  show();
  await press("Set up");
  const dialog = within(await screen.findByRole("dialog", { name: "Set up an authenticator app" }));
  expect(dialog.getByRole("img", { name: "QR code of the secret" }).innerHTML).toContain("<path");
  const secret = (document.querySelector("dialog code")?.textContent ?? "").replaceAll(" ", "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const field = dialog.getByLabelText<HTMLInputElement>("Code *");
  expect([field.inputMode, field.autocomplete]).toEqual(["numeric", "one-time-code"]);
  await userEvent.type(field, "000000");
  await userEvent.click(dialog.getByRole("button", { name: "Add app" }));
  await dialog.findByText("This code is wrong");
  await userEvent.clear(field);
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  await userEvent.type(field, codeAt(Uint8Array.from(bytes), clock.now()));
  await userEvent.click(await dialog.findByRole("button", { name: "Add app" }));
  const codes = within(await screen.findByRole("dialog", { name: "Save your recovery codes" }));
  expect(codes.getAllByRole("listitem")).toHaveLength(10);
  await userEvent.click(codes.getByRole("button", { name: "I have saved them" }));
  await screen.findByText("10 left. They let you sign in without your phone or passkey.");
  expect((await client.get("/api/auth/factors")).body).toMatchObject({ recovery_codes: 10 });
});

test("the app is removed after a question, and recovery codes are renewed", async () => {
  const hub = await startHubAs("bob");
  await addAuthenticator(hub, hub.bob);
  await hub.signIn(hub.bob);
  show();
  await press("Create new codes");
  await userEvent.click(
    within(await screen.findByRole("dialog", { name: "Create new recovery codes?" })).getByRole("button", {
      name: "Create new codes",
    }),
  );
  const codes = within(await screen.findByRole("dialog", { name: "Save your recovery codes" }));
  await userEvent.click(codes.getByRole("button", { name: "I have saved them" }));
  await press("Remove");
  await userEvent.click(
    within(await screen.findByRole("dialog", { name: "Remove the authenticator app?" })).getByRole("button", {
      name: "Remove",
    }),
  );
  await screen.findByRole("button", { name: "Set up" });
  const now = hub.as({ ...hub.bob, token: String(session().token) });
  expect((await now.get("/api/auth/factors")).body.totp).toBeNull();
  await waitFor(() => expect(screen.queryByText("Recovery codes") === null).toBe(true));
});

test("a call that a required second step holds back leads here, and the page says so", async () => {
  await startHubAs("bob", { env: { REQUIRE_2FA: "all" } });
  history.replaceState(null, "", "/monitors");
  await expect(payload(api.monitors.get())).rejects.toMatchObject({ code: "second_factor_required" });
  expect(location.pathname).toBe("/profile/security");
  show();
  await screen.findByText("A second step is required here. Add a passkey or an authenticator app to go on.");
});
