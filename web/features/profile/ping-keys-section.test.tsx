import { expect, test } from "bun:test";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitUntilGone, within } from "../../testing/test-page";
import { PingKeysSection } from "./ping-keys-section";

setUpPage();

test("ping keys are created at random or as they are elsewhere, and revoked after a question", async () => {
  const hub = await startHubAs("bob");
  render(<PingKeysSection />);
  const add = async () => userEvent.click(screen.getByRole("button", { name: "Add ping key" }));
  const submit = async () =>
    userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add ping key" }));
  await add();
  await submit();
  const random = (await screen.findByText(/^[\w-]{22}$/)).textContent ?? "";
  expect((await hub.anybody.get(`/ping/${random}/web-01?create=1`)).status).toBe(201);
  await add();
  await userEvent.type(screen.getByLabelText(/^Key/), "a key");
  await submit();
  await screen.findByText("Enter 10 to 64 letters, digits, hyphens and underscores");
  await userEvent.clear(screen.getByLabelText(/^Key/));
  await userEvent.type(screen.getByLabelText(/^Key/), "Zk3cXr8mQ2vT1aBcD4eF5g");
  await submit();
  await screen.findByText("Zk3cXr8mQ2vT1aBcD4eF5g");
  await userEvent.click(screen.getByRole("button", { name: `Revoke: ${random}` }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke" }));
  await waitUntilGone(() => screen.queryByText(random));
  expect((await hub.anybody.get(`/ping/${random}/web-01`)).status).toBe(404);
});
