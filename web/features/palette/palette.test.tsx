import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { checkError } from "../../../src/shared/check-error";
import { enrollAgent } from "../../../src/testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../src/testing/fixtures/monitors";
import { session } from "../../session";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import {
  act,
  fakeServer,
  fireEvent,
  render,
  screen,
  userEvent,
  waitFor,
  waitUntilGone,
  within,
} from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { monitorAtom } from "../monitors/api";
import { serverAtom } from "../servers/api";
import { PaletteButton, PaletteHost } from "./palette-host";
import { parseSearch } from "./search";

setUpPage({ path: "/dashboard" });

const start = async (name: "alice" | "bob" = "bob") => {
  const hub = await startHubAs(name);
  const owner = hub[name];
  await addMonitor(hub, owner, { url: "https://shop.example/", name: "Shop" });
  await addMonitor(hub, owner, { url: "https://soap.example/", name: "Legacy SOAP bridge" });
  await enrollAgent(hub, owner);
  render(
    <>
      <main>
        <input type="search" aria-label="Search the list" />
      </main>
      <PaletteButton />
      <PaletteHost />
      <Toasts />
    </>,
  );
  return hub;
};

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more });
const field = () => screen.findByRole("combobox");
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const type = async (text: string) => userEvent.type(await field(), text);
const chosen = () => screen.getByRole("option", { selected: true }).textContent;

test("Ctrl K opens the palette with screens and actions, and Escape or the button close and open it", async () => {
  await start();
  press("k", { ctrlKey: true });
  await field();
  expect(options()).toContain("Notifications");
  expect(options()).toContain("Sign out");
  expect(options()).not.toContain("Users");
  fireEvent(screen.getByRole("dialog"), new Event("close"));
  await waitUntilGone(() => screen.queryByRole("dialog"));
  await userEvent.click(screen.getByRole("button", { name: /Search or go to/ }));
  await field();
});

test("administrators find the screens of administrators", async () => {
  await start("alice");
  press("k", { metaKey: true });
  await type("users");
  await waitFor(() => expect(options()).toContain("Users"));
});

test("typing finds monitors and servers on the server, and Enter opens the chosen one", async () => {
  await start();
  press("k", { ctrlKey: true });
  await type("so");
  await screen.findByRole("option", { name: /Legacy SOAP bridge Pending/ });
  expect(chosen()).toContain("Legacy SOAP bridge");
  await userEvent.keyboard("{Enter}");
  expect(location.pathname).toBe("/monitors/2");
  expect(screen.queryByRole("dialog")).toBeNull();
  press("k", { ctrlKey: true });
  await type("db-");
  await screen.findByRole("option", { name: /^db-1/ });
  await userEvent.keyboard("{Enter}");
  expect(location.pathname).toBe("/agents/1");
});

test("what an earlier search found is not opened or changed by a later one", async () => {
  await start();
  press("k", { ctrlKey: true });
  await type("soap");
  await screen.findByRole("option", { name: /Legacy SOAP bridge Pending/ });
  fireEvent.change(await field(), { target: { value: "pause shop" } });
  expect(options().filter((option) => option?.includes("SOAP"))).toEqual([]);
  await screen.findByRole("option", { name: "Pause Shop" });
});

test("arrow keys walk through the lines, from the last to the first", async () => {
  await start();
  press("k", { ctrlKey: true });
  await userEvent.click(await field());
  const all = options();
  await userEvent.keyboard("{ArrowUp}");
  expect(chosen()).toBe(all.at(-1) ?? "");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(chosen()).toBe(all[1] ?? "");
});

test("“pause soap” pauses that monitor, and “resume soap” finds it only then", async () => {
  await start();
  press("k", { ctrlKey: true });
  await type("pause soap");
  await screen.findByRole("option", { name: "Pause Legacy SOAP bridge" });
  await userEvent.keyboard("{Enter}");
  await screen.findByText("Checks are paused");
  expect(changes().map(({ path }) => path)).toEqual(["/api/monitors/2/pause"]);
  press("k", { ctrlKey: true });
  await type("resume ");
  await type("so");
  await waitFor(() => expect(options()).toEqual(["Resume Legacy SOAP bridge"]));
});

test("on the page of a monitor the palette first has what can be done with it", async () => {
  await start();
  await act(async () => void (await monitorAtom("1").prepare()));
  history.replaceState(null, "", "/monitors/1");
  press("k", { ctrlKey: true });
  await field();
  const here = within(await screen.findByRole("group", { name: "Shop" }));
  expect(here.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    ...["Check now", "Pause", "Edit", "Clone", "Alerts"],
    ...["Mute for 1 hour", "Mute until 9:00 tomorrow", "Mute until it recovers", "Mute indefinitely"],
    ...["Maintenance for 15 min", "Maintenance for 1 h", "Maintenance for 4 h"],
    "Delete",
  ]);
  await type("pause");
  await waitFor(() => expect(chosen()).toBe("Pause"));
  await userEvent.keyboard("{Enter}");
  await screen.findByText("Checks are paused");
  expect(changes().map(({ path }) => path)).toEqual(["/api/monitors/1/pause"]);
});

test("an outage is acknowledged from the page of its monitor, and by the name of the monitor", async () => {
  const hub = await start();
  const ids: number[] = [];
  for (const id of [1, 2]) {
    await recordOnly(hub, id, [{ at: hub.clock.now(), up: false, error: checkError("timeout", { seconds: 20 }) }]);
    ids.push((await hub.as(hub.bob).get("/api/outages?open=1")).body.outages[0]?.id ?? 0);
  }
  await act(async () => void (await monitorAtom("1").prepare()));
  history.replaceState(null, "", "/monitors/1");
  press("k", { ctrlKey: true });
  await userEvent.click(await field());
  expect(chosen()).toBe("Acknowledge");
  await userEvent.keyboard("{Enter}");
  await screen.findByText("“Shop” is acknowledged");
  press("k", { ctrlKey: true });
  await type("acknowledge soap");
  await screen.findByRole("option", { name: "Acknowledge Legacy SOAP bridge" });
  await userEvent.keyboard("{Enter}");
  await screen.findByText("“Legacy SOAP bridge” is acknowledged");
  expect(changes().map(({ path }) => path)).toEqual(ids.map((id) => `/api/outages/${id}/acknowledge`));
});

test("deleting from the palette asks first, and opens the list", async () => {
  await start();
  await act(async () => void (await serverAtom("1").prepare()));
  history.replaceState(null, "", "/agents/1?tab=alerts");
  press("k", { ctrlKey: true });
  await type("delete");
  await screen.findByRole("group", { name: "db-1" });
  await userEvent.keyboard("{Enter}");
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
  await screen.findByText("“db-1” was deleted");
  expect(location.pathname).toBe("/agents");
});

test("a verb alone finds what it applies to", async () => {
  await start();
  press("k", { ctrlKey: true });
  await type("pause");
  await screen.findByRole("option", { name: "Pause Legacy SOAP bridge" });
  await screen.findByRole("option", { name: "Pause Shop" });
});

test.each([
  ["pause soap", "pause", "soap"],
  ["暂停soap", "pause", "soap"],
  ["确认支付", "acknowledge", "支付"],
  ["检查 支付", "check", "支付"],
  ["Resume  x", "resume", "x"],
  ["checkout", undefined, "checkout"],
  ["pauses", undefined, "pauses"],
  ["pause", "pause", ""],
  ["", undefined, ""],
] as const)("the search “%s” is to %s “%s”", (text, verb, search) => {
  expect(parseSearch(text, { acknowledge: "确认", check: "检查", pause: "暂停", resume: "恢复" })).toEqual({
    verb,
    search,
  });
});

test("the theme and the language can be chosen, in the language of the interface", async () => {
  await start();
  await act(async () => void (await i18next.changeLanguage("zh-CN")));
  press("k", { ctrlKey: true });
  await type("深色");
  await userEvent.keyboard("{Enter}");
  expect(document.documentElement.dataset.theme).toBe("dark");
  press("k", { ctrlKey: true });
  await type("English");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(document.documentElement.lang).toBe("en-US"));
});

test("the install command is copied with a token of this tab", async () => {
  await start();
  const copied: string[] = [];
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  press("k", { ctrlKey: true });
  await type("install");
  await userEvent.keyboard("{Enter}");
  await screen.findByText("Install command copied");
  expect(copied[0]).toMatch(/^echo \S+ \| sh -c "\$\(curl -fsSL http:.*\/install\.sh\)" install\.sh --server http/);
});

test("signing out from the palette ends the session", async () => {
  await start();
  press("k", { ctrlKey: true });
  await type("sign out");
  await userEvent.keyboard("{Enter}");
  expect([session().status, location.pathname]).toEqual(["unauthenticated", "/login"]);
});

test("without a server the palette still has screens and actions, and says that it cannot search", async () => {
  await start();
  fakeServer.answer(() => Response.json({ success: false, code: "internal", message: "" }, { status: 500 }));
  press("k", { ctrlKey: true });
  await type("dash");
  await screen.findByText(/can’t be searched just now/);
  expect(options()).toEqual(["Dashboard"]);
});

test("what is found for an earlier search does not replace what a later one has found", async () => {
  const hub = await start();
  const waiting: (() => void)[] = [];
  fakeServer.answer(async (request) => {
    if (request.url.includes("search=sho&") || request.url.endsWith("search=sho"))
      await new Promise<void>((resolve) => waiting.push(resolve));
    return hub.send(request);
  });
  press("k", { ctrlKey: true });
  await type("sho");
  await waitFor(() => expect(waiting.length).toBe(2));
  await userEvent.clear(await field());
  await type("soap");
  await screen.findByRole("option", { name: /Legacy SOAP bridge Pending/ });
  for (const answer of waiting) answer();
  await type(" b");
  await screen.findByRole("option", { name: "Check Legacy SOAP bridge now" });
  expect(options().filter((text) => text?.startsWith("Shop"))).toEqual([]);
});

test("“/” focuses the list's search, and “?” shows the keys, but not while typing", async () => {
  await start();
  press("/");
  const search = screen.getByRole("searchbox");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Search the list");
  fireEvent.keyDown(search, { key: "?" });
  expect(screen.queryByRole("dialog")).toBeNull();
  press("?");
  await screen.findByRole("heading", { name: "Keyboard shortcuts" });
  // A dialog is open: the keys are its own.
  press("k", { ctrlKey: true });
  expect(screen.queryByRole("combobox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});
