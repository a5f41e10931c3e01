import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../smoke/lib/hub";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "./lib/browser";
import { words } from "./lib/words";

const { common, monitors, notifications } = words["en-US"];
const CHUNK = /notifications-page-\w+\.js$/;
const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };

beforeAll(async () => {
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  signedIn = alice.signedIn;
  await alice.post("/api/monitors", { ...monitorOf("http://127.0.0.1:9/"), retries: 0, active: false });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const open = async (prepare: (context: BrowserContext) => Promise<unknown> = async () => {}) => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, signedIn);
  await prepare(context);
  const page = await context.newPage();
  await page.goto(`${running.origin}/monitors`);
  await page.getByRole("heading", { name: monitors.title, level: 1 }).waitFor();
  return { context, page };
};

const openNotifications = (page: Page) => page.getByRole("link", { name: common.nav.notifications }).first().click();
const notificationsShown = (page: Page) => page.getByRole("heading", { name: notifications.title, level: 1 }).waitFor();
const isCrashed = (page: Page) => page.getByText(common.crash.title).count();

it("opens screens for the first time without a network, and fills them when it is back", async () => {
  const { context, page } = await open();
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /server-rail/.test(name)),
  );
  await context.setOffline(true);
  await openNotifications(page);
  await page.getByText(notifications.loadFailed).first().waitFor();
  expect(await isCrashed(page)).toBe(0);
  // The page loads it again by itself.
  await context.setOffline(false);
  await notificationsShown(page);
  await context.close();
});

it("keeps the screen with a line while the code of the next one is missing, and opens that when it is there", async () => {
  const { context, page } = await open((context) => context.route(CHUNK, (route) => route.abort()));
  await openNotifications(page);
  await page.getByText(common.connection.missing).waitFor();
  expect(await page.getByRole("heading", { name: monitors.title, level: 1 }).count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe("/notifications");
  expect(await isCrashed(page)).toBe(0);
  await context.unroute(CHUNK);
  await page.getByRole("button", { name: common.action.retry }).click();
  await notificationsShown(page);
  expect(await page.getByText(common.connection.missing).count()).toBe(0);
  await context.close();
});

/** A server after an upgrade: the old code is gone. `isStuck`: also for a reloaded page. Counts the loaded pages. */
const afterUpgrade = (isStuck: boolean) => {
  const state = { pages: 0 };
  const prepare = async (context: BrowserContext) => {
    await context.route(CHUNK, (route) =>
      isStuck || state.pages < 2 ? route.fulfill({ status: 404, json: { success: false } }) : route.fallback(),
    );
    await context.route(/\/(monitors|notifications)?$/, async (route) => {
      if (route.request().isNavigationRequest()) {
        state.pages++;
        return route.fallback();
      }
      // The page asks for the present document.
      return route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><script type="module" crossorigin src="./index-newer.js"></script>',
      });
    });
  };
  return { state, prepare };
};

it("reloads by itself once after an upgrade, and shows the screen that was asked for", async () => {
  const { state, prepare } = afterUpgrade(false);
  const { context, page } = await open(prepare);
  await openNotifications(page);
  await notificationsShown(page);
  expect(state.pages).toBe(2);
  expect(await isCrashed(page)).toBe(0);
  await context.close();
});

it("does not reload for ever when the code stays missing", async () => {
  const { state, prepare } = afterUpgrade(true);
  const { context, page } = await open(prepare);
  await openNotifications(page);
  await page.getByText(common.connection.outdated).waitFor();
  await page.getByRole("link", { name: common.nav.dashboard }).first().click();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(state.pages).toBe(2);
  expect(await isCrashed(page)).toBe(0);
  await context.close();
});

it("keeps the list on screen while the network is cut again and again, and follows changes after it", async () => {
  const { context, page } = await open();
  await page.getByText("Shop").first().waitFor();
  const skeletons = await page.evaluateHandle(() => {
    const seen: string[] = [];
    new MutationObserver(() => {
      if (document.querySelector("main .skeleton")) seen.push("skeleton");
    }).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  for (let round = 0; round < 4; round++) {
    await context.setOffline(true);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText(common.stale).first().waitFor();
    expect(await page.getByText("Shop").count()).toBeGreaterThan(0);
    await context.setOffline(false);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText(common.stale).first().waitFor({ state: "detached" });
  }
  expect(await skeletons.jsonValue()).toEqual([]);
  expect(await isCrashed(page)).toBe(0);
  const client = running.as(signedIn.token);
  await client.post("/api/monitors", { ...monitorOf("http://127.0.0.1:9/", "Added later"), active: false });
  await page.getByText("Added later").first().waitFor();
  await context.close();
});

it("can be used without any storage of the browser", async () => {
  const { account } = words["en-US"];
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "caches"])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("storage is forbidden", "SecurityError");
        },
      });
  });
  const page = await context.newPage();
  const newErrors = await recordPageErrors(page);
  await page.goto(`${running.origin}/login`);
  await page.getByLabel(new RegExp(`^${account.username}`)).fill("alice");
  await page
    .getByLabel(new RegExp(`^${account.password}`))
    .first()
    .fill(PASSWORD);
  await page.getByRole("button", { name: account.login.submit, exact: true }).click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("link", { name: common.nav.monitors }).first().click();
  await page.getByText("Shop").first().waitFor();
  await openNotifications(page);
  await notificationsShown(page);
  expect(newErrors()).toEqual([]);
  await context.close();
});
