import { madeBy } from "../../../../src/db/owner";
import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { outages } from "../../../../src/db/schema";
import { DAY, MINUTE } from "../../../../src/shared/limits";
import { START } from "../../../../src/testing/clock";
import { addMonitor, record } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import DetailPage from "../detail/detail-page";

setUpPage({ path: "/monitors" });

/** Bob's monitor 1 with the tag "shop" that was down for half an hour. */
const open = async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", tags: [{ name: "shop", value: "" }] });
  await record(hub, 1, [{ at: START - 40 * DAY }]);
  await hub.db.insert(outages).values({
    ...{ ...madeBy(hub.bob), targetType: "monitor", targetId: 1, kind: "down" },
    ...{ startedAt: START - 2 * DAY, endedAt: START - 2 * DAY + 30 * MINUTE },
  });
  render(<DetailPage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Set an uptime objective" }));
  const read = async () => (await hub.client.get("/api/objectives")).body.objectives;
  return { read };
};
const dialog = () => within(screen.getByRole("dialog"));
const target = () => dialog().getByLabelText(/^Uptime/);
const save = () => userEvent.click(dialog().getByRole("button", { name: "Save" }));
const card = async () => (await screen.findByRole("progressbar")).parentElement?.textContent;

test("an objective is set on the page of its monitor, which shows how much downtime is left", async () => {
  const { read } = await open();
  expect(dialog().getByText("Allows 43 min of downtime in 30 days")).toBeDefined();
  await save();
  expect(await card()).toContain("Objective: 99.9% in 30 days");
  expect(await card()).toContain("13 min left of 43 min of downtime");
  expect(await card()).toContain("Burn rate: 0× in the last hour, 0× in six hours");
  expect(await read()).toMatchObject([{ monitor: { id: 1 }, target: 99.9, period: "30d", alerts: true }]);
});

test("an objective is set for all monitors with a tag, without alerts, and removed from it", async () => {
  const { read } = await open();
  await userEvent.selectOptions(await dialog().findByLabelText("Applies to"), "All monitors tagged shop");
  await userEvent.selectOptions(dialog().getByLabelText(/^Period/), "Calendar month");
  await userEvent.click(dialog().getByRole("switch"));
  await save();
  expect(await card()).toContain("this month of the tag shop");
  expect(await read()).toMatchObject([{ tag: { name: "shop" }, period: "month", alerts: false }]);
  await userEvent.click(
    within((await screen.findByRole("progressbar")).parentElement as HTMLElement).getByRole("button"),
  );
  await userEvent.click(dialog().getByRole("button", { name: "Remove from shop" }));
  expect(await screen.findByText("No uptime objective")).toBeDefined();
  expect(await read()).toEqual([]);
});

test("an uptime of 100 % is refused before it is sent", async () => {
  const { read } = await open();
  await userEvent.clear(target());
  await userEvent.type(target(), "100");
  expect(dialog().getByText("Enter an uptime from 90 to 99.999")).toBeDefined();
  await save();
  await waitFor(() => expect(target().getAttribute("aria-invalid")).toBe("true"));
  expect(await read()).toEqual([]);
});
