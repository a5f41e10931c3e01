import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addPasskey } from "../../../../src/testing/fixtures/people";
import { session } from "../../../session";
import { PASSWORD, startHubAs } from "../../../testing/hub";
import { addDevice } from "../../../testing/passkeys";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import ProfilePage from "../profile-page";

setUpPage({ path: "/profile" });

/** Starts a hub and opens a section of the profile of bob. */
const open = async (section = "") => {
  const hub = await startHubAs("bob");
  history.replaceState(null, "", section ? `/profile/${section}` : "/profile");
  render(
    <>
      <ProfilePage id={section} />
      <Toasts />
    </>,
  );
  await waitFor(() => expect(document.querySelector(".profile .card") === null).toBe(false));
  return hub;
};

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

const addKey = async (name: string) => {
  await press("Add key");
  const dialog = within(await screen.findByRole("dialog", { name: "Add key" }));
  await userEvent.type(dialog.getByLabelText("Name *"), name);
  await userEvent.click(dialog.getByRole("button", { name: "Add key" }));
};

test("ten minutes after the sign-in, a dialog asks for the password before the username is saved", async () => {
  const { client, clock } = await open();
  clock.set(clock.now() + 10 * 60_000);
  await userEvent.clear(screen.getByLabelText("Username *"));
  await type("Username *", "robert");
  await press("Save");
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it’s you" }));
  await userEvent.type(dialog.getByLabelText("Your password *"), "a guess");
  await userEvent.click(await dialog.findByRole("button", { name: "Confirm" }));
  await dialog.findByText("The current password is wrong");
  expect((await client.get("/api/auth/me")).body.user.username).toBe("bob");
  await userEvent.clear(dialog.getByLabelText("Your password *"));
  await userEvent.type(dialog.getByLabelText("Your password *"), PASSWORD);
  await userEvent.click(await dialog.findByRole("button", { name: "Confirm" }));
  await screen.findByText("Profile saved");
  await waitFor(() => expect(screen.queryByRole("dialog") === null).toBe(true));
  expect((await client.get("/api/auth/me")).body.user.username).toBe("robert");
});

test("closing the dialog that asks for the password changes nothing", async () => {
  const { client, clock } = await open("keys");
  clock.set(clock.now() + 10 * 60_000);
  await addKey("backup");
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it’s you" }));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await screen.findByText(/Confirm that it’s you first/);
  expect((await client.get("/api/keys")).body.keys).toEqual([]);
});

test("a passkey proves it as well, where the user has one for this address", async () => {
  const key = addDevice();
  const { clock, bob, ...hub } = await startHubAs("bob", { env: { PUBLIC_URL: "http://localhost" } });
  await addPasskey(hub, bob, key);
  await hub.signIn(bob);
  history.replaceState(null, "", "/profile/keys");
  render(<ProfilePage id="keys" />);
  clock.set(clock.now() + 10 * 60_000);
  await addKey("backup");
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it’s you" }));
  await userEvent.click(await dialog.findByRole("button", { name: "Use a passkey" }));
  await userEvent.click(dialog.getByRole("button", { name: "Confirm" }));
  await screen.findByText(/shown only this once/);
  expect((await hub.as({ ...bob, token: String(session().token) }).get("/api/keys")).body.keys).toMatchObject([
    { name: "backup" },
  ]);
});
