import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { I18nextProvider } from "react-i18next";
import { docsPage as enUS } from "../../locales/en-US/docs";
import { docsPage as zhCN } from "../../locales/zh-CN/docs";
import { signIn, signOut } from "../../session";
import { act, cleanup, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { createTranslator } from "../shared/translator";
import { DocsPage } from "./docs-page";
import type { Document } from "./document";

const operation = (operationId: string, summary: string, tag: string) => ({
  operationId,
  summary,
  tags: [tag],
  security: [],
  "x-access": "public",
  responses: {
    "200": { description: "It worked.", content: { "application/json": { schema: {}, example: { success: true } } } },
    "401": {
      description: "",
      content: { "application/json": { examples: { unauthorized: { value: { message: "Sign in to do this." } } } } },
    },
  },
});

const api = {
  info: { version: "1", description: "Bodies are JSON." },
  servers: [{ url: "/up" }],
  tags: [
    { name: "Accounts", description: "Registering." },
    { name: "Monitors", description: "What is checked." },
  ],
  paths: {
    "/api/auth/login": { post: operation("login", "Sign in", "Accounts") },
    "/api/monitors": { get: operation("listMonitors", "List monitors", "Monitors") },
  },
  components: { schemas: {}, securitySchemes: { session: { description: "The token of a sign-in." } } },
} as unknown as Document;

let i18n: ReturnType<typeof createTranslator>;
beforeEach(() => {
  i18n = createTranslator("en-US", {
    words: { "en-US": enUS },
    load: async () => zhCN,
  });
});

const open = async (load: Promise<Document> = Promise.resolve(api), hash = "") => {
  history.replaceState(null, "", `/up/api/docs${hash}`);
  const view = render(
    <I18nextProvider i18n={i18n}>
      <DocsPage load={load} />
    </I18nextProvider>,
  );
  await act(async () => void (await load.catch(() => {})));
  return view.container;
};
const card = (id: string) => document.getElementById(id) as HTMLDetailsElement;
const shownCalls = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>(".call")].filter(({ hidden }) => !hidden).map(({ id }) => id);

beforeEach(() => {
  localStorage.clear();
});
afterEach(async () => {
  await cleanup();
  signOut();
});

test("a search leaves the calls that match each of its words, in the contents and on the page", async () => {
  const container = await open();
  expect(shownCalls(container)).toEqual(["login", "listMonitors"]);
  await userEvent.type(screen.getByRole("searchbox"), "MONITORS get");
  expect(shownCalls(container)).toEqual(["listMonitors"]);
  expect(within(container.querySelector(".contents") as HTMLElement).getAllByRole("link")).toHaveLength(1);
  await userEvent.type(screen.getByRole("searchbox"), " nothing");
  expect(shownCalls(container)).toEqual([]);
  expect(container.querySelector("#nothing")?.textContent).toBe("No call matches.");
});

test("the call that the address names is open, and one that a search hides is shown when it is named", async () => {
  const container = await open(undefined, "#listMonitors");
  expect([card("listMonitors").open, card("login").open]).toEqual([true, false]);
  await waitFor(() => expect(card("listMonitors").textContent).toInclude("curl 'http://localhost"));
  await userEvent.type(screen.getByRole("searchbox"), "monitors");
  expect(shownCalls(container)).toEqual(["listMonitors"]);
  await act(async () => {
    history.replaceState(null, "", "/up/api/docs#login");
    dispatchEvent(new Event("hashchange"));
  });
  expect(shownCalls(container)).toEqual(["login", "listMonitors"]);
  expect(card("login").open).toBe(true);
  await waitFor(() => expect(card("login").textContent).toInclude("unauthorized"));
});

test("another language translates the page without closing a call", async () => {
  await open(undefined, "#login");
  await userEvent.click(screen.getByRole("button", { name: "Language" }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: "中文" }));
  await waitFor(() => expect(screen.getAllByRole("heading", { name: "账号" })).toHaveLength(2));
  expect(card("listMonitors").querySelector("h3")?.textContent).toBe("List monitors");
  expect([card("login").open, i18n.language]).toEqual([true, "zh-CN"]);
});

test("a search in another language finds the calls of a part by its name", async () => {
  const container = await open();
  await i18n.changeLanguage("zh-CN");
  await userEvent.type(await screen.findByRole("searchbox", { name: "搜索接口" }), "账号");
  expect(shownCalls(container)).toEqual(["login"]);
});

test("a document that cannot be loaded is reported in place of the calls", async () => {
  await open(Promise.reject(new Error("503")));
  expect(screen.getByRole("alert").textContent).toStartWith("The document could not be loaded.");
});

test("the navigation bar leads a signed-in user to the console", async () => {
  signIn("token", { id: 1, username: "alice", role: "user" });
  await open();
  const links = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toContain("/monitors");
  await cleanup();
  signOut();
  await open();
  expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/login");
});
