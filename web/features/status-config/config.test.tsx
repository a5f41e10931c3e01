import "../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import ConfigPage from "./config-page";

const config = {
  title: "Acme",
  description: "",
  logoUrl: "",
  customCss: "",
  show_hostname: false,
  show_os: false,
  show_version: false,
  css_dropped: [] as string[],
  slug: "alice",
  path: "/status",
  published: true,
  monitors: [
    { id: 3, name: "Shop", selected: true },
    { id: 4, name: "Bank", selected: false },
  ],
  agents: [{ id: 5, name: "Web", hostname: "web-1", selected: true }],
  monitors_total: 2,
  agents_total: 1,
};
let saving: () => Response;
let served: typeof config;

setUpPage();
beforeEach(() => {
  served = config;
  saving = () => Response.json({ success: true, message: "ok", css_dropped: [] });
  fakeServer.answer((request) =>
    request.method === "GET" ? Response.json({ success: true, config: served }) : saving(),
  );
});

const open = async (query = "") => {
  history.replaceState(null, "", `/status/config${query}`);
  render(
    <>
      <ConfigPage />
      <Toasts />
    </>,
  );
  await screen.findByRole("tablist");
};
const isChosen = (name: string) => screen.getByRole("tab", { name }).getAttribute("aria-selected");
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

test("the configuration opens the tab of its address", async () => {
  await open("?tab=agents");
  expect(isChosen("Servers")).toBe("true");
  await userEvent.click(screen.getByRole("tab", { name: "Services" }));
  expect([location.search, isChosen("Services")]).toEqual(["?tab=services", "true"]);
  await userEvent.click(screen.getByRole("tab", { name: "General" }));
  expect([location.search, isChosen("General")]).toEqual(["", "true"]);
});

test("a refused configuration opens the tab of the invalid field and focuses it", async () => {
  saving = () =>
    Response.json(
      {
        success: false,
        code: "validation",
        message: "no",
        errors: [{ path: "logoUrl", message: "logoUrl: expected an https:// address" }],
      },
      { status: 422 },
    );
  await open();
  await userEvent.type(screen.getByRole("textbox", { name: "Logo URL" }), "http://x.example/y.png");
  await userEvent.click(screen.getByRole("tab", { name: "Servers" }));
  await save();
  await waitFor(() => expect(isChosen("General")).toBe("true"));
  const field = screen.getByRole("textbox", { name: "Logo URL" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("hostname, system and kernel of servers are shown by separate switches", async () => {
  await open("?tab=agents");
  const states = () => screen.getAllByRole("switch").map((one) => one.getAttribute("aria-checked"));
  expect(states()).toEqual(["false", "false", "false"]);
  await userEvent.click(screen.getByRole("switch", { name: "Show operating systems" }));
  expect(states()).toEqual(["false", "true", "false"]);
  await save();
  await waitFor(() => expect(fakeServer.calls.some(({ method }) => method === "POST")).toBe(true));
  const sent = fakeServer.calls.find(({ method }) => method === "POST")?.body;
  expect(sent).toMatchObject({ show_hostname: false, show_os: true, show_version: false });
});

test("the addresses of the badges of published services have copy buttons", async () => {
  await open("?tab=services");
  expect(screen.getByText(/\/badge\/3\.svg$/)).toBeDefined();
  expect(screen.getByText(/\/badge\/3\.svg\?type=uptime&days=30$/)).toBeDefined();
  const options = screen.getAllByRole<HTMLOptionElement>("option").map(({ textContent }) => textContent);
  expect(options).toEqual(["Shop"]);
});

test("the removed parts of the stylesheet are listed below it", async () => {
  served = { ...config, css_dropped: ["background: url(https://example.com/x.png)"] };
  await open();
  expect(screen.getByText("background: url(https://example.com/x.png)")).toBeDefined();
});

test("monitors beyond the listed ones are found by a search and stay chosen", async () => {
  served = { ...config, monitors_total: 3 };
  fakeServer.answer((request) => {
    const found = { ...served, monitors: [{ id: 9, name: "Hidden", selected: false }] };
    if (request.method !== "GET") return saving();
    return Response.json({ success: true, config: request.url.includes("search=hid") ? found : served });
  });
  await open("?tab=services");
  expect(screen.queryByText("2 of 3 are listed. Search to find the others.")).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox"), "hid");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Hidden" }));
  await userEvent.click(screen.getByRole("tab", { name: "General" }));
  await save();
  await waitFor(() =>
    expect(fakeServer.calls.find(({ method }) => method === "POST")?.body).toMatchObject({ monitors: [3, 9] }),
  );
});
