import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { recordOnly } from "../../../src/testing/fixtures/monitors";
import { addSubscribers } from "../../../src/testing/fixtures/pages/subscribers";
import { publish } from "../../../src/testing/fixtures/status-page";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import IncidentsPage from "./list-page";
import { texts } from "./texts";

setUpPage({ path: "/status/config/incidents" });

/** A published page with one monitor. */
const start = async () => {
  const hub = await startHubAs("bob");
  addTexts({ incidents: texts });
  await hub.client.post("/api/monitors", { name: "Shop", url: "https://shop.test/", interval: 60 });
  const [shop] = (await hub.client.get("/api/monitors")).body.monitors;
  await publish(hub, hub.user, { title: "Acme", monitors: [shop?.id] });
  const [page] = (await hub.client.get("/api/incidents")).body.pages;
  const report = (body: object = {}) =>
    hub.client.post("/api/incidents", { title: "Payments fail", body: "We look into it.", ...body });
  const updatesOf = async (id: number) => (await hub.client.get(`/api/incidents/${id}`)).body.incident.updates;
  return { ...hub, pageId: page?.id ?? 0, report, updatesOf, component: page?.components[0]?.id ?? 0 };
};

const show = () =>
  render(
    <>
      <IncidentsPage />
      <Toasts />
    </>,
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("an update is posted by a status, a text and a button", async () => {
  const { report, updatesOf } = await start();
  const { id } = (await report()).body.incident;
  show();
  await press("Identified");
  await userEvent.type(await screen.findByRole("textbox", { name: /^Text/ }), "A disk is full.");
  expect(screen.queryByRole("checkbox", { name: /^Notify/ })).toBeNull();
  await press("Post update");
  await screen.findByText("The update is published");
  expect((await updatesOf(id))[0]).toMatchObject({ status: "identified", body: "A disk is full." });
});

test("an incident is published with its components, and subscribers get it unless the writer says so", async () => {
  const { app, client, pageId, report, updatesOf, component, ...hub } = await start();
  await addSubscribers(hub, pageId, ["dora@example.com", "erik@example.com"]);
  await report({ notify: false, components: [{ id: component, status: "partial_outage" }] });
  show();
  expect((await screen.findByText(/Shop: Partial outage/)).textContent).toContain("Partial outage");
  const post = (await screen.findByRole("button", { name: "Post update" })).closest("form") as HTMLFormElement;
  await userEvent.type(within(post).getByRole("textbox", { name: /^Text/ }), "Quiet.");
  await userEvent.click(within(post).getByRole("checkbox", { name: "Notify 2 subscribers" }));
  await press("Post update");
  await screen.findByText("The update is published");
  const [incident] = (await client.get("/api/incidents")).body.incidents;
  expect((await updatesOf(incident?.id ?? 0)).map(({ notified_at }) => notified_at)).toEqual([null, null]);

  await press("Publish an incident");
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText(/^Title/), "Search is slow");
  await userEvent.type(within(dialog).getByRole("textbox", { name: /^Text/ }), "We look into it.");
  expect(within(dialog).getByRole("checkbox", { name: "Notify 2 subscribers" })).toHaveProperty("checked", true);
  await userEvent.click(within(dialog).getByRole("button", { name: "Publish an incident" }));
  await screen.findByText("The incident is published");
  const [latest] = (await client.get("/api/incidents")).body.incidents;
  expect(latest).toMatchObject({ title: "Search is slow" });
  expect((await updatesOf(latest?.id ?? 0))[0]?.notified_at).toBeString();
});

test("an update of two people at once is refused with the text of the other person", async () => {
  const { client, report, updatesOf } = await start();
  const { id } = (await report()).body.incident;
  show();
  await userEvent.type(await screen.findByRole("textbox", { name: /^Text/ }), "Mine.");
  await client.post(`/api/incidents/${id}/updates`, { status: "identified", body: "Theirs." });
  await press("Post update");
  await screen.findByRole("alert");
  await screen.findByText("Theirs.");
  expect(screen.getByRole("textbox", { name: /^Text/ })).toHaveProperty("value", "Mine.");
  expect(await updatesOf(id)).toHaveLength(2);
});

test("from the outage of an incident that is published, its text has the focus, and a tap on a state leads to it", async () => {
  const { client, updatesOf, ...hub } = await start();
  const [shop] = (await client.get("/api/monitors")).body.monitors;
  await recordOnly(hub, shop?.id ?? 0, [{ at: hub.clock.now(), up: false }]);
  const [outage] = (await client.get("/api/outages")).body.outages;
  const write = (title: string, more: object = {}) => client.post("/api/incidents", { title, body: "Text.", ...more });
  const { id } = (await write("Of the outage", { outage_id: outage?.id })).body.incident;
  await write("Another one");
  history.replaceState(null, "", `?outage=${outage?.id}`);
  show();
  const card = (await screen.findByRole("heading", { name: "Of the outage" })).closest("article") as HTMLElement;
  const text = await within(card).findByRole("textbox", { name: /^Text/ });
  await waitFor(() => expect(document.activeElement).toBe(text));
  await userEvent.click(within(card).getByRole("button", { name: "Identified" }));
  expect(document.activeElement).toBe(text);
  await userEvent.keyboard("A disk is full.");
  await userEvent.click(within(card).getByRole("button", { name: "Post update" }));
  await screen.findByText("The update is published");
  expect((await updatesOf(id))[0]).toMatchObject({ status: "identified", body: "A disk is full." });
});

test("the form from an outage says that an incident about its component is open, and leads to its update", async () => {
  const { client, report, updatesOf, component, ...hub } = await start();
  const [shop] = (await client.get("/api/monitors")).body.monitors;
  await recordOnly(hub, shop?.id ?? 0, [{ at: hub.clock.now(), up: false }]);
  const [outage] = (await client.get("/api/outages")).body.outages;
  const { id } = (await report({ components: [{ id: component, status: "partial_outage" }] })).body.incident;
  await report({ title: "About nothing" });
  history.replaceState(null, "", `?outage=${outage?.id}`);
  show();
  const dialog = await screen.findByRole("dialog");
  const notes = within(dialog).getAllByText(/^An incident about/);
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    "An incident about Shop is open already: “Payments fail”. Post an update to it instead",
  ]);
  await userEvent.click(within(dialog).getByRole("link", { name: "Post an update to it instead" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const card = (await screen.findByRole("heading", { name: "Payments fail" })).closest("article") as HTMLElement;
  const text = await within(card).findByRole("textbox", { name: /^Text/ });
  await waitFor(() => expect(document.activeElement).toBe(text));
  await userEvent.keyboard("A disk is full.");
  await userEvent.click(within(card).getByRole("button", { name: "Post update" }));
  await screen.findByText("The update is published");
  expect((await updatesOf(id))[0]).toMatchObject({ body: "A disk is full." });
});

test("a new incident says which open one names a component once that is chosen", async () => {
  const { report, component } = await start();
  await report({ components: [{ id: component, status: "partial_outage" }] });
  history.replaceState(null, "", "?add");
  show();
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).queryByText(/^An incident about/)).toBeNull();
  await userEvent.click(within(dialog).getByText("Affected components"));
  await userEvent.selectOptions(within(dialog).getByRole("combobox", { name: "Shop" }), "major_outage");
  within(dialog).getByText(/^An incident about Shop is open already/);
});

test("from its own outage, an open incident says that it is the one", async () => {
  const { client, report, ...hub } = await start();
  const [shop] = (await client.get("/api/monitors")).body.monitors;
  await recordOnly(hub, shop?.id ?? 0, [{ at: hub.clock.now(), up: false }]);
  const [outage] = (await client.get("/api/outages")).body.outages;
  await report({ outage_id: outage?.id });
  history.replaceState(null, "", `?outage=${outage?.id}`);
  show();
  await screen.findByText("This incident about the outage is open already: post an update to it.");
  expect(screen.queryByRole("dialog")).toBeNull();
});
