import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { joinTeam } from "../../../../src/testing/fixtures/people";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor, waitUntilGone, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import DetailPage from "../../monitors/detail/detail-page";

setUpPage({ path: "/monitors/1" });

const setUp = async () => {
  const hub = await startHubAs("bob");
  const tags = [{ name: "env", value: "prod" }];
  const monitor = { name: "Shop", url: "https://shop.test/", interval: 60, tags };
  const { id } = (await hub.client.post("/api/monitors", monitor)).body.monitor;
  const other = await addMonitor(hub, hub.bob, { name: "Blog", url: "https://blog.test/" });
  const show = () =>
    render(
      <>
        <DetailPage id={String(id)} />
        <Toasts />
      </>,
    );
  const running = async () =>
    (await hub.client.get("/api/windows")).body.windows.filter(({ current }) => current !== null);
  return { ...hub, id: Number(id), other, show, running };
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("maintenance is started from the page of a monitor in two clicks, and ended there", async () => {
  const { id, show, running } = await setUp();
  show();
  await press("More actions");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Maintenance for 4 h" }));
  const line = (await screen.findByRole("button", { name: "End" })).closest("div");
  expect(line?.textContent).toMatch(/^Under maintenance until \d\d:\d\d/);
  expect(await running()).toMatchObject([{ all: false, monitors: [id], agents: [], tags: [] }]);
  await press("End");
  await screen.findByText("The maintenance has ended");
  await waitUntilGone(() => screen.queryByRole("button", { name: "End" }));
  expect(await running()).toEqual([]);
});

test("a mute and maintenance are shown together", async () => {
  const { client, id, show } = await setUp();
  await client.post(`/api/monitors/${id}/mute`, { minutes: 30 });
  await client.post("/api/windows/start", { minutes: 60, monitors: [id] });
  show();
  await screen.findByRole("button", { name: "End" });
  expect(document.querySelector(".muted-mark")?.textContent).toMatch(/^Under maintenance until .* · Muted until /);
});

test("maintenance of others too, by a tag, is ended only after a question", async () => {
  const { client, other, show, running } = await setUp();
  await client.post("/api/windows/start", { minutes: 60, tags: ["env:prod"], title: "Deploy" });
  await client.post("/api/windows/start", { minutes: 60, monitors: [other], title: "Elsewhere" });
  show();
  await screen.findByText("Deploy ·");
  await press("End");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Deploy/).textContent).not.toContain("Elsewhere");
  expect(await running()).toHaveLength(2);
  await userEvent.click(dialog.getByRole("button", { name: "End" }));
  await waitFor(async () => expect(await running()).toMatchObject([{ title: "Elsewhere" }]));
});

test("a viewer of the team is offered neither to start or end maintenance nor to edit", async () => {
  const hub = await setUp();
  await hub.client.post("/api/windows/start", { minutes: 60, monitors: [hub.id] });
  await joinTeam(hub, hub.bob, hub.charlie, { id: hub.bob.teamId, role: "viewer" });
  await hub.signIn(hub.charlie);
  hub.show();
  await waitFor(() => expect(document.querySelector(".maintenance-line")).not.toBeNull());
  await press("More actions");
  await screen.findByRole("menuitem", { name: /Mute for 1 hour/ });
  await waitUntilGone(() => screen.queryByRole("menuitem", { name: /Maintenance for/ }));
  for (const name of ["Pause", "Delete", "Mute indefinitely"])
    expect(screen.queryByRole("menuitem", { name })).toBeNull();
  expect(screen.queryByRole("button", { name: "End" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Edit" })).toBeNull();
});
