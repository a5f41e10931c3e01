import { expect, test } from "bun:test";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitUntilGone } from "../../testing/test-page";
import { WallsSection } from "./walls-section";

setUpPage();

test("an address of the wall is created for a tag, shown once, and revoked after a question", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop", tags: [{ name: "prod", value: "" }] });
  render(<WallsSection />);
  await screen.findByRole("option", { name: "Only the tag prod" });
  await userEvent.type(screen.getByLabelText(/^Place/), "Office");
  await userEvent.selectOptions(screen.getByLabelText("Shows"), "prod");
  await userEvent.click(screen.getByRole("button", { name: "Add address" }));
  const address = new URL((await screen.findByText(/\/wall\?key=wall_/)).textContent ?? "");
  const authorization = `Bearer ${address.searchParams.get("key")}`;
  const wall = async () => (await hub.anybody.get("/api/wall", undefined, { authorization })).body;
  expect(await wall()).toMatchObject({ tag: "prod", monitors: { total: 1 } });
  await userEvent.click(screen.getByRole("button", { name: "I have saved it" }));
  expect(screen.queryByText(/wall_/)).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Revoke: Office" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke" }));
  await waitUntilGone(() => screen.queryByRole("button", { name: "Revoke: Office" }));
  expect(await wall()).toMatchObject({ success: false, code: "not_found" });
});
