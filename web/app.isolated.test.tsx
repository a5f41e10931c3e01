import "./testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import i18next from "i18next";
import { App, pages } from "./app";
import { startI18n } from "./i18n";
import { linkedScreens } from "./lib/navigation/linked-screens";
import { type Screen, screenAt, screens } from "./screens";
import { signIn, signOut } from "./session";
import { act, cleanup, fakeServer, render, screen, userEvent, waitFor } from "./testing/test-page";

const nothing = { up: 0, down: 0, pending: 0, paused: 0, total: 0 };
const dashboard = (down = 0) => ({
  success: true,
  monitors: { ...nothing, down, total: down },
  agents: { active: 0, inactive: 0, connecting: 0, total: 0 },
  connectivity: null,
  unknown: null,
  conditions: [],
  latest_monitors: [],
  latest_agents: [],
  now: new Date().toISOString(),
  problems: [],
  problems_total: 0,
  in_maintenance: { monitors: 0, agents: 0, total: 0, outages: [] },
  well_since: null,
  events: [],
});

const open = async (path: string) => {
  history.replaceState(null, "", path);
  await startI18n();
  return render(<App />);
};
const alice = (role = "user") => signIn("token", { id: 1, username: "alice", role });

beforeEach(() => {
  fakeServer.reset();
  signOut();
  localStorage.setItem("i18nextLng", "en-US");
  fakeServer.answer(() => Response.json(dashboard()));
});
afterEach(cleanup);

test.each([
  "/dashboard",
  "/monitors",
  "/monitors/create",
  "/monitors/edit/1",
  "/monitors/1",
  "/agents",
  "/agents/create",
  "/agents/edit/1",
  "/agents/1",
  "/notifications",
  "/users",
  "/users/create",
  "/users/1",
  "/security",
  "/system",
  "/profile",
  "/profile/keys",
])("%s redirects visitors who are not signed in to the login page", async (path) => {
  await open(path);
  await screen.findByRole("heading", { name: "Sign in" });
  expect(location.pathname).toBe("/login");
});

test("an unknown address shows the not-found page with a link to the home page", async () => {
  await open("/nowhere/at/all");
  await screen.findByRole("heading", { name: "Page not found" });
  expect(screen.getByRole("link", { name: "Back to home" }).getAttribute("href")).toBe("/");
});

test("the logo leads visitors to the home page, and signed-in users to the dashboard", async () => {
  await open("/login");
  await userEvent.click(await screen.findByRole("link", { name: "Wakeful" }));
  await screen.findByRole("link", { name: "Get started" });
  expect(location.pathname).toBe("/");
  await cleanup();
  alice();
  await open("/monitors/create");
  await userEvent.click(await screen.findByRole("link", { name: "Wakeful" }));
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
});

test("the navigation bar marks the current page and shows the users link to administrators only", async () => {
  alice();
  await open("/monitors/create");
  await screen.findByRole("heading", { name: "Add monitor" });
  const current = await screen.findByRole("link", { current: "page" });
  expect(current.textContent).toBe("API monitors");
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  expect(screen.queryByRole("menuitem", { name: "Users" })).toBeNull();
  await cleanup();
  alice("admin");
  await open("/monitors/create");
  await screen.findByRole("heading", { name: "Add monitor" });
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  expect(screen.getByRole("menuitem", { name: "Users" }).getAttribute("href")).toBe("/users");
});

test.each(["/users", "/users/create", "/users/2", "/security", "/system"])(
  "%s redirects users who are not administrators to the dashboard",
  async (path) => {
    alice();
    await open(path);
    await screen.findByRole("heading", { name: "Nothing is being monitored yet" });
    expect(location.pathname).toBe("/dashboard");
    expect(fakeServer.calls.some(({ path }) => path.startsWith("/api/users"))).toBe(false);
  },
);

test.each(["/login", "/register"])("%s redirects signed-in users to the dashboard", async (path) => {
  alice();
  await open(path);
  await screen.findByRole("heading", { name: "Nothing is being monitored yet" });
  expect(location.pathname).toBe("/dashboard");
});

test("signing out clears the session and opens the login page", async () => {
  alice();
  await open("/dashboard");
  await userEvent.click(screen.getByRole("button", { name: /User menu/ }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Sign out" }));
  await screen.findByRole("heading", { name: "Sign in" });
  expect(localStorage.getItem("token")).toBeNull();
  expect(location.pathname).toBe("/login");
});

test("the tab's title shows how many monitors and servers are down, in the language of the page", async () => {
  alice();
  fakeServer.answer((_request, path) =>
    Response.json(path === "/api/dashboard" ? dashboard(2) : { success: true, total: 0, monitors: [], agents: [] }),
  );
  await open("/dashboard");
  await waitFor(() => expect(document.title).toBe("(2 down) Dashboard · Wakeful"));
  await act(async () => void (await i18next.changeLanguage("zh-CN")));
  await waitFor(() => expect(document.title).toBe("(2 项异常) 仪表盘 · Wakeful"));
  expect(document.documentElement.lang).toBe("zh-CN");
  expect(localStorage.getItem("i18nextLng")).toBe("zh-CN");
});

test("the tab's title has nothing of the last user for visitors, and for the next user before their numbers are known", async () => {
  alice();
  fakeServer.answer((_request, path) =>
    Response.json(path === "/api/dashboard" ? dashboard(2) : { success: true, total: 0, monitors: [], agents: [] }),
  );
  await open("/dashboard");
  await waitFor(() => expect(document.title).toBe("(2 down) Dashboard · Wakeful"));
  await act(async () => signOut());
  await waitFor(() => expect(document.title).toBe("Sign in · Wakeful"));
  fakeServer.answer(() => new Promise<Response>(() => {}));
  await act(async () => signIn("other", { id: 2, username: "bob", role: "user" }));
  await waitFor(() => expect(document.title).toBe("Dashboard · Wakeful"));
});

test("the icon of the tab is red while something is down", async () => {
  const icon = document.head.appendChild(document.createElement("link"));
  Object.assign(icon, { rel: "icon", href: "/mark.svg" });
  alice();
  fakeServer.answer(() => Response.json(dashboard(1)));
  await open("/profile");
  await waitFor(() => expect(icon.href).toStartWith("data:image/svg+xml,"));
  act(signOut);
  await waitFor(() => expect(icon.href).toEndWith("/mark.svg"));
  icon.remove();
});

test("an empty dashboard links to creating a monitor and a server", async () => {
  alice();
  await open("/dashboard");
  expect((await screen.findByRole("link", { name: "Add monitor" })).getAttribute("href")).toBe("/monitors/create");
  expect(screen.getByRole("link", { name: "Add server" }).getAttribute("href")).toBe("/agents/create");
});

test("the home page links to the dashboard, or to the login page for visitors", async () => {
  await open("/");
  expect((await screen.findByRole("link", { name: "Get started" })).getAttribute("href")).toBe("/login");
  // No address of a repository is known.
  expect(screen.queryByText("Learn more")).toBeNull();
  await cleanup();
  alice();
  await open("/");
  expect((await screen.findByRole("link", { name: "Open the dashboard" })).getAttribute("href")).toBe("/dashboard");
  expect(screen.queryByText("Get started")).toBeNull();
  expect(screen.queryByText("Learn more")).toBeNull();
});

test("a dashboard that fails to load shows an error and a retry button", async () => {
  alice();
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  await open("/dashboard");
  await screen.findByText("Failed to load the dashboard");
  fakeServer.answer(() => Response.json(dashboard()));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("textbox", { name: "Paste an address" });
});

test.each(["/monitors", "/agents"])(
  "Escape opens %s from the page of an item before that list is loaded",
  async (list) => {
    alice();
    fakeServer.answer((_request, path) =>
      path === "/api/dashboard" ? Response.json(dashboard()) : new Promise<Response>(() => {}),
    );
    await open(`${list}/1`);
    await waitFor(() => expect(document.querySelector(".beside") !== null).toBe(true));
    await userEvent.keyboard("{Escape}");
    expect(location.pathname).toBe(list);
  },
);

test("an entry in the screens table and a page are enough for a new screen: path, access, title and link follow", async () => {
  const added: Screen = {
    path: "/reports",
    access: "admin",
    title: "shared.view.label",
    link: { label: "shared.view.list", icon: "page" },
  };
  Object.assign(screens, { reports: added });
  Object.assign(linkedScreens, { reports: added });
  Object.assign(pages, { reports: () => <h1>Reports</h1> });
  try {
    alice("admin");
    await open("/reports");
    await screen.findByRole("heading", { name: "Reports" });
    expect(screen.getByRole("link", { name: "List" }).getAttribute("href")).toBe("/reports");
    await waitFor(() => expect(document.title).toBe("View · Wakeful"));
    await cleanup();
    alice();
    await open("/reports");
    await waitFor(() => expect(location.pathname).toBe("/dashboard"));
    expect(screen.queryByRole("link", { name: "List" })).toBeNull();
  } finally {
    for (const table of [screens, linkedScreens, pages]) Reflect.deleteProperty(table, "reports");
  }
});

test.each([
  ["/", "home", ""],
  ["/monitors", "monitors", ""],
  ["/monitors/", "monitors", ""],
  ["/Monitors", "monitors", ""],
  ["/monitors/create", "monitorCreate", ""],
  ["/monitors/edit/12", "monitorEdit", "12"],
  ["/monitors/12", "monitor", "12"],
  ["/status/config", "statusConfig", ""],
])("the path %s is that of the screen %s with the id “%s”", (path, name, id) => {
  const found = screenAt(path);
  expect<unknown[]>([found?.name, found?.id]).toEqual([name, id]);
});

test.each(["/nowhere", "/monitors/1/2"])("no screen has the path %s", (path) => {
  expect(screenAt(path)).toBeUndefined();
});

test("lists, what is shown beside them and a form with a preview use the whole width, other forms do not", () => {
  const wide = Object.entries(screens).flatMap(([name, screen]) => ("wide" in screen ? [name] : []));
  expect(wide).toEqual([
    "dashboard",
    "monitors",
    "monitor",
    "agents",
    "agent",
    "outages",
    "outage",
    "sharedReport",
    "statusConfig",
    "statusPages",
    "statusPageEdit",
    "statusPageAccess",
    "incidents",
    "maintenance",
    "subscribers",
    "notifications",
    "users",
    "security",
    "system",
  ]);
});
