import "../../testing/test-dom";

import { expect, test } from "bun:test";
import type { ReactNode } from "react";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { publish } from "../../../src/testing/fixtures/status-page";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import ConfigPage from "./config-page";
import EditorPage from "./pages/editor-page";
import { texts } from "./pages/texts";

setUpPage({ path: "/status/config", width: 1000 });

/** A hub with the first page of bob and a further one. */
const start = async () => {
  const hub = await startHubAs("bob");
  addTexts({ pages: texts });
  const shop = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await publish(hub, hub.bob, { title: "Acme", monitors: [shop] });
  const created = await hub.as(hub.bob).post("/api/pages", { slug: "lab", title: "Lab" });
  const [first] = (await hub.as(hub.bob).get("/api/pages")).body.pages;
  return { ...hub, first: first?.id ?? 0, further: created.body.page.id };
};
type Started = Awaited<ReturnType<typeof start>>;

const show = (page: ReactNode, path: string) => {
  cleanup();
  history.replaceState(null, "", path);
  render(
    <>
      {page}
      <Toasts />
    </>,
  );
  return screen.findByRole("tablist");
};
const showFirst = () => show(<ConfigPage />, "/status/config");
const showOwn = (id: number, tab = "") => show(<EditorPage id={String(id)} />, `/status/config/pages/${id}${tab}`);
const tabs = () => screen.getAllByRole("tab").map(({ textContent }) => textContent);
const fields = () =>
  [...document.querySelectorAll(".config-tab :is(label, .field > span)")].map(({ textContent }) => textContent);
const readPage = async ({ as, bob }: Started, id: number) => (await as(bob).get(`/api/pages/${id}`)).body.page;

test("the first page has one row of tabs on both of its screens, and each tab leads to the right one", async () => {
  const { first } = await start();
  await showFirst();
  const all = ["General", "Services", "Servers", "Order and groups", "Components", "More settings"];
  expect(tabs()).toEqual(all);
  await userEvent.click(screen.getByRole("tab", { name: "Components" }));
  expect(location.pathname + location.search).toBe(`/status/config/pages/${first}?tab=components`);
  await showOwn(first);
  expect(tabs()).toEqual(all);
  expect(screen.getByRole("tab", { name: "Components" }).getAttribute("aria-selected")).toBe("true");
  await userEvent.click(screen.getByRole("tab", { name: "Services" }));
  expect(location.pathname + location.search).toBe("/status/config?tab=services");
});

test("the title of the page is the heading of its editor, and the links of the area name the page once", async () => {
  const { first, further } = await start();
  for (const [open, title, current] of [
    [showFirst, "Acme", "Default page"],
    [() => showOwn(first), "Acme", "Default page"],
    [() => showOwn(further), "Lab", "Pages"],
  ] as const) {
    await open();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
    expect(document.querySelector(".area-tabs [aria-current]")?.textContent).toBe(current);
    expect(screen.queryByText("Status page")).toBeNull();
  }
});

test("a further page has the same general settings as the first, in the same order and words", async () => {
  const hub = await start();
  await showFirst();
  const general = fields();
  expect(general).toContain("Title");
  await showOwn(hub.further, "?tab=general");
  expect(tabs()).toEqual(["General", "Components", "More settings"]);
  expect(fields()).toEqual(general);
  await userEvent.clear(screen.getByRole("textbox", { name: "Title" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "Laboratory");
  await userEvent.type(screen.getByRole("textbox", { name: "Custom CSS" }), "h1 { color: red }".replace("{", "{{"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("The status page is saved");
  expect(await readPage(hub, hub.further)).toMatchObject({ title: "Laboratory", custom_css: "h1 { color: red }" });
});

test("a refused field of a further page opens its tab and gets the focus", async () => {
  const { further } = await start();
  await showOwn(further, "?tab=general");
  await userEvent.type(screen.getByRole("textbox", { name: "Logo URL" }), "http://x.example/y.png");
  await userEvent.click(screen.getByRole("tab", { name: "More settings" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const field = await screen.findByRole("textbox", { name: "Logo URL" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("a component that is added by its dialog is saved with the page, and not before", async () => {
  const hub = await start();
  // A page without components begins with them.
  await showOwn(hub.further);
  await userEvent.click(screen.getByRole("button", { name: "Add component" }));
  const dialog = await screen.findByRole("dialog");
  // Browsers do not report the submission of a form inside of another one.
  expect(dialog.closest("form")).toBeNull();
  await userEvent.type(within(dialog).getByRole("textbox", { name: /^Name/ }), "Checkout");
  await userEvent.selectOptions(within(dialog).getByRole("combobox", { name: "Status" }), "operational");
  await userEvent.click(within(dialog).getByRole("button", { name: "Done" }));
  await screen.findByText("Unsaved changes");
  expect((await readPage(hub, hub.further)).components).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("The status page is saved");
  expect((await readPage(hub, hub.further)).components).toMatchObject([{ name: "Checkout" }]);
});
