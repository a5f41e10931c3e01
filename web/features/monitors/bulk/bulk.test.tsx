import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fireEvent, render, screen, userEvent, waitFor, waitUntilGone, within } from "../../../testing/test-page";
import ListPage from "../list/list-page";

setUpPage({ path: "/monitors" });

const setUp = async () => {
  const hub = await startHubAs("bob");
  for (const name of ["a", "b", "c", "d"])
    await addMonitor(hub, hub.user, { name, url: `https://${name}.example/`, active: false });
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Select" }));
  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Select ${name}` });
  const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
  const stored = async () => (await hub.client.get("/api/monitors?sort=name")).body.monitors;
  return { hub, box, press, stored };
};

test("a range is marked with the shift key, and all of the list by one button; Escape ends it", async () => {
  const { box, press } = await setUp();
  await userEvent.click(box("a"));
  fireEvent.click(box("c"), { shiftKey: true });
  expect(["a", "b", "c", "d"].map((name) => box(name).checked)).toEqual([true, true, true, false]);
  expect(screen.getByText("3 selected")).toBeTruthy();
  await press("Select all 4");
  expect(box("d").checked).toBe(true);
  await userEvent.click(box("b"));
  expect(screen.getByText("3 selected")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("an action says how many it changes before it does", async () => {
  const { box, press, stored } = await setUp();
  await userEvent.click(box("a"));
  await userEvent.click(box("b"));
  await press("Resume");
  const dialog = within(await screen.findByRole("dialog", { name: "Resume 2 monitors?" }));
  expect((await stored()).some(({ active }) => active)).toBe(false);
  await userEvent.click(dialog.getByRole("button", { name: "Resume 2" }));
  await waitUntilGone(() => screen.queryByRole("dialog"));
  expect((await stored()).map(({ active }) => active)).toEqual([true, true, false, false]);
});

test("an action changes what it counted, also when the list has more by then", async () => {
  const { hub, press, stored } = await setUp();
  await press("Select all 4");
  await press("Resume");
  const dialog = within(await screen.findByRole("dialog", { name: "Resume 4 monitors?" }));
  await addMonitor(hub, hub.user, { name: "e", url: "https://e.example/", active: false });
  await userEvent.click(dialog.getByRole("button", { name: "Resume 4" }));
  await waitUntilGone(() => screen.queryByRole("dialog"));
  expect((await stored()).map(({ active }) => active)).toEqual([true, true, true, true, false]);
});

test("tags are added to those that are marked", async () => {
  const { box, press, stored } = await setUp();
  await userEvent.click(box("d"));
  await press("Tags");
  await userEvent.type(screen.getByLabelText("Add tags"), "region:eu");
  await press("Continue");
  const dialog = within(await screen.findByRole("dialog", { name: "Change 1 monitor?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Change 1" }));
  await waitUntilGone(() => screen.queryByRole("dialog"));
  expect((await stored()).at(-1)?.tags).toMatchObject([{ name: "region", value: "eu" }]);
});

test("maintenance of the marked monitors, or of all that the list has, is started from a menu", async () => {
  const { hub, box, press } = await setUp();
  await userEvent.click(box("a"));
  await userEvent.click(box("b"));
  const start = async (length: string) => {
    await press("Maintenance");
    await userEvent.click(await screen.findByRole("menuitem", { name: `Maintenance for ${length}` }));
  };
  const running = async () =>
    (await hub.client.get("/api/windows")).body.windows.map(({ monitors }) => monitors.length);
  await start("1 h");
  await waitFor(async () => expect(await running()).toEqual([2]));
  await press("Select all 4");
  await start("15 min");
  await waitFor(async () => expect((await running()).toSorted()).toEqual([2, 4]));
});
