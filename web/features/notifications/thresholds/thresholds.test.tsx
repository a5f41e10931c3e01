import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { enrollAgent } from "../../../../src/testing/fixtures/agents";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer } from "../../../testing/test-dom";
import { render, screen, userEvent, waitFor, waitUntilGone, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import DetailPage from "../../servers/detail/detail-page";
import NotificationsPage from "../notifications-page";

setUpPage();

/** Starts a hub where bob has a server with a tag. */
const start = async () => {
  const hub = await startHubAs("bob");
  const { id } = await enrollAgent(hub, hub.bob, { name: "Web server" });
  await hub.client.put(`/api/agents/${id}`, { name: "Web server", tags: [{ name: "production" }] });
  const read = async () => (await hub.client.get("/api/thresholds")).body.thresholds;
  const add = (body: object) =>
    hub.client.post("/api/thresholds", { scope: "all", metric: "cpu", threshold: 90, minutes: 10, ...body });
  return { ...hub, id, read, add };
};
const open = async (search = "") => {
  history.replaceState(null, "", `/notifications?tab=thresholds${search}`);
  render(
    <>
      <NotificationsPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
  await waitUntilGone(() => document.querySelector(".skeleton"));
};
const dialog = () => within(screen.getByRole("dialog"));
const fill = async (name: string, text: string) => {
  const field = dialog().getByLabelText((label) => label.startsWith(name));
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const save = () => userEvent.click(dialog().getByRole("button", { name: "Save" }));
const rows = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent).slice(0, 5));

test("a threshold of one mount point is added for the servers with a tag", async () => {
  const { read } = await start();
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Add threshold" }));
  dialog().getByRole("heading", { name: "Add threshold" });
  const buttons = dialog()
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
  expect(buttons.slice(-2)).toEqual(["Cancel", "Save"]);
  await userEvent.click(dialog().getByRole("button", { name: "A tag" }));
  await waitFor(() => expect(dialog().getByRole("option", { name: "production" })).toBeTruthy());
  await fill("Mount point", "/var");
  await fill("Alert at", "95");
  expect(dialog().getByText("90% if left empty")).toBeTruthy();
  await fill("After (minutes)", "5");
  await save();
  await screen.findByText("Threshold saved");
  expect(await read()).toMatchObject([
    {
      scope: "tag",
      tag: { name: "production" },
      metric: "disk",
      subject: "/var",
      threshold: 95,
      clear: 90,
      minutes: 5,
    },
  ]);
  await screen.findByRole("table");
  expect(rows()).toEqual([["Disk /var", "Tag production", "95%", "90%", "5 min"]]);
});

test("a threshold is edited and deleted, and those for all servers come first", async () => {
  const { read, add, id } = await start();
  await add({ scope: "agent", agent_id: id, metric: "temperature", threshold: 80, minutes: 0 });
  await add({ metric: "load", threshold: 2, minutes: 90 });
  await open();
  await screen.findByRole("table");
  expect(rows()).toEqual([
    ["Load per core", "All servers", "2", "1.8", "1 h 30 min"],
    ["Temperature (each sensor)", "Web server", "80 °C", "75 °C", "one sample"],
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Edit: Load per core, All servers" }));
  await fill("Clears below", "3");
  await save();
  await dialog().findByText("It can’t be above the threshold");
  await fill("Clears below", "1.5");
  await save();
  await waitFor(() => expect(rows()[0]).toEqual(["Load per core", "All servers", "2", "1.5", "1 h 30 min"]));
  await userEvent.click(screen.getByRole("button", { name: "Delete: Load per core, All servers" }));
  await userEvent.click(dialog().getByRole("button", { name: "Delete" }));
  await screen.findByText("Threshold deleted");
  expect((await read()).map(({ metric }: { metric: string }) => metric)).toEqual(["temperature"]);
});

test("a threshold keeps its tag when the tags are loaded after its form", async () => {
  const { read, add, client, id, send } = await start();
  await client.put(`/api/agents/${id}`, { name: "Web server", tags: [{ name: "database" }, { name: "production" }] });
  const { tags } = (await client.get("/api/tags")).body;
  const tag = tags.at(-1);
  await add({ scope: "tag", tag_id: tag?.id });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  fakeServer.answer(async (request) => {
    if (request.url.endsWith("/api/tags")) await released;
    return send(request);
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Edit: CPU/ }));
  await userEvent.click(dialog().getByLabelText((label) => label.startsWith("Alert at")));
  release();
  await waitFor(() => expect(dialog().getAllByRole("option", { name: /^(database|production)$/ }).length).toBe(2));
  await fill("Alert at", "95");
  await save();
  await screen.findByText("Threshold saved");
  expect(await read()).toMatchObject([{ tag: { name: tag?.name }, threshold: 95 }]);
});

test("a threshold that exists already is refused with the reason", async () => {
  const { add } = await start();
  await add({ metric: "disk" });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Add threshold" }));
  await save();
  await dialog().findByText(/You have a threshold for the same servers and figure already/);
});

test("the page of a server lists the thresholds that count for it, and leads to a new one for it", async () => {
  const { add, id } = await start();
  await add({ metric: "swap", threshold: 50 });
  await add({ metric: "swap", threshold: 70, scope: "agent", agent_id: id });
  history.replaceState(null, "", `/agents/${id}?tab=alerts`);
  render(<DetailPage id={String(id)} />);
  const card = within(await screen.findByRole("region", { name: "Thresholds" }));
  expect(
    card
      .getAllByRole("row")
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(["SwapWeb server–70%65%10 min"]);
  expect(card.getByRole("link", { name: "Add threshold" }).getAttribute("href")).toBe(
    `/notifications?tab=thresholds&id=${id}`,
  );
});

test("the link of a server opens the form with the server chosen", async () => {
  const { id, read } = await start();
  await open(`&id=${id}`);
  await screen.findByRole("dialog");
  await waitFor(() => expect(dialog().getByRole("option", { name: "Web server" })).toBeTruthy());
  await save();
  await screen.findByText("Threshold saved");
  expect(await read()).toMatchObject([{ scope: "agent", agent: { id, name: "Web server" }, metric: "disk" }]);
});

test("the form that the link of a server opens has nothing to discard before something is typed", async () => {
  const { id } = await start();
  await open(`&id=${id}`);
  await screen.findByRole("dialog");
  await waitFor(() => expect(dialog().getByRole("option", { name: "Web server" })).toBeTruthy());
  const cancel = new Event("cancel", { cancelable: true });
  screen.getByRole("dialog").dispatchEvent(cancel);
  expect(cancel.defaultPrevented).toBe(false);
});
